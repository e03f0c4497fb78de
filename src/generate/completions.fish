# Offers handles of captures and members of archives.
function __fish_rread_words
    set -l word (commandline -ct)
    string match -qr '^(fd|tar:|zip:)' -- $word; and rread --complete $word 2>/dev/null
end
complete -c rread -a '(__fish_rread_words)'
