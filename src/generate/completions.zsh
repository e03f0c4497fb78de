# Offers handles of captures, members of archives, and files.
_rread_files() {
    local word="${(Q)PREFIX}"
    if [[ "$word" == (fd*|tar:*|zip:*) ]]; then
        local -a offered=("${(@f)$(rread --complete "$word" 2>/dev/null)}")
        compadd "$@" -S '' -- ${(M)offered:#*/}
        compadd "$@" -- ${offered:#*/}
        [[ "$word" == *:* ]] && return
    fi
    _files "$@"
}
_rread_handles() {
    local -a offered=("${(@f)$(rread --complete fd: 2>/dev/null)}")
    compadd "$@" -- $offered
}

