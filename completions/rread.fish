# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_rread_global_optspecs
    string join \n schema= help-agent generate= h/help V/version
end

function __fish_rread_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_rread_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_rread_using_subcommand
    set -l cmd (__fish_rread_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c rread -n "__fish_rread_needs_command" -l schema -d 'Print the JSON Schema of every answer and of errors, or the tools for agents in the form of function calling' -r -f -a "answers\t'JSON Schema of answers and errors'
tools\t'JSON array of the tools of rread call and rread mcp: name, description, parameters'"
complete -c rread -n "__fish_rread_needs_command" -l generate -d 'Print a man page or a shell completion' -r -f -a "man\t''
man-bytes\t''
man-lines\t''
man-ranges\t''
man-search\t''
man-follow\t''
man-page\t''
man-stat\t''
man-where\t''
man-verify\t''
man-capture\t''
man-image\t''
man-select\t''
man-index\t''
man-view\t''
man-doctor\t''
man-call\t''
man-mcp\t''
man-worker\t''
bash\t''
zsh\t''
fish\t''
powershell\t''
elvish\t''"
complete -c rread -n "__fish_rread_needs_command" -l help-agent -d 'Print a guide for agents: which command to call, how to read a receipt and how to go on'
complete -c rread -n "__fish_rread_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_needs_command" -s V -l version -d 'Print version'
complete -c rread -n "__fish_rread_needs_command" -f -a "bytes" -d 'Read byte ranges, cut at character edges'
complete -c rread -n "__fish_rread_needs_command" -f -a "lines" -d 'Read line ranges by number, from the front or from the end'
complete -c rread -n "__fish_rread_needs_command" -f -a "ranges" -d 'Read many ranges of lines and bytes in one pass'
complete -c rread -n "__fish_rread_needs_command" -f -a "search" -d 'Show the lines that match a pattern, in files of any kind and size'
complete -c rread -n "__fish_rread_needs_command" -f -a "follow" -d 'Print the last lines of files, and what is appended to them, as it comes'
complete -c rread -n "__fish_rread_needs_command" -f -a "page" -d 'Read a file page by page, at the same cost for any page of any file'
complete -c rread -n "__fish_rread_needs_command" -f -a "stat" -d 'Report what a file is, without reading it all'
complete -c rread -n "__fish_rread_needs_command" -f -a "where" -d 'Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line'
complete -c rread -n "__fish_rread_needs_command" -f -a "verify" -d 'Report which lines have changed since they were read with --hash'
complete -c rread -n "__fish_rread_needs_command" -f -a "capture" -d 'Keep the output of a command, or standard input, and read it in parts by its handle'
complete -c rread -n "__fish_rread_needs_command" -f -a "image" -d 'Report format, size and mode of a picture, and return its bytes as a data URI'
complete -c rread -n "__fish_rread_needs_command" -f -a "select" -d 'Run an SQL query on the table in a file'
complete -c rread -n "__fish_rread_needs_command" -f -a "index" -d 'Build, show, list and clear line indexes'
complete -c rread -n "__fish_rread_needs_command" -f -a "view" -d 'Look at a file of any size full-screen, with the keys of less'
complete -c rread -n "__fish_rread_needs_command" -f -a "doctor" -d 'Report what this build has, where it keeps files, and what it would use for a URL'
complete -c rread -n "__fish_rread_needs_command" -f -a "call" -d 'Call a tool for agents once, without a server'
complete -c rread -n "__fish_rread_needs_command" -f -a "mcp" -d 'Serve the tools for agents over the Model Context Protocol, on standard input and output'
complete -c rread -n "__fish_rread_needs_command" -f -a "worker" -d 'Do parts of the queries that rread select --workers sends from other machines'
complete -c rread -n "__fish_rread_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l start-byte -d 'First byte, from 0; -N counts from the end' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l end-byte -d 'Byte to stop before; -N counts from the end' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l align -d 'What to do if a range would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]' -r -f -a "expand\t'Include the whole character'
shrink\t'Exclude the whole character'
none\t'Cut exactly at the offset'"
complete -c rread -n "__fish_rread_using_subcommand bytes" -l encode -d 'Write the exact bytes of any file, binary or not, in this encoding' -r -f -a "base64\t'RFC 4648, section 4, with padding'
hex\t'Two lower-case digits for each byte'
hexdump\t'Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C'"
complete -c rread -n "__fish_rread_using_subcommand bytes" -l invalid -d 'What to do with bytes that are not valid in the encoding of the file [default: replace]' -r -f -a "replace\t'Each invalid sequence becomes U+FFFD'
error\t'Refuse the text, with the offset of the first invalid byte'
escape\t'Each invalid byte becomes \\xNN'"
complete -c rread -n "__fish_rread_using_subcommand bytes" -l max-bytes -d 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l max-tokens -d 'Stop before the content exceeds about N tokens, as --max-bytes stops' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l max-lines -d 'Stop after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l max-columns -d 'Clip lines to N characters, and count the clipped lines' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l expect -d 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand bytes" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand bytes" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand bytes" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand bytes" -l bounded -d 'Report as next only the rest of the ranges that a budget cut off, and nothing after them'
complete -c rread -n "__fish_rread_using_subcommand bytes" -s a -l text -d 'Read a binary file as if it were text'
complete -c rread -n "__fish_rread_using_subcommand bytes" -s n -l number -d 'Number the lines, right-aligned to 6 digits and followed by →'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l metadata-only -d 'Print the receipt without the content, to see how large it would be'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l brief -d 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l expect-prefix -d 'With --expect, accept a file to which text was appended'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand bytes" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand bytes" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand lines" -l offset -d 'First line, from 1; -N counts from the end' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l limit -d 'Number of lines' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l hash-width -d 'Write N digits of the hash, 4 to 8 [default: 6]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l hash-style -d 'How the hash is computed and written' -r -f -a "xxh32\t'N#hhhhhh|text: digits of the xxHash32 of the bytes of the line'
omp\t'N#XX:text: two letters that ignore white space, as in the oh-my-pi editor'"
complete -c rread -n "__fish_rread_using_subcommand lines" -s C -l context -d 'Show N lines before and after every line range' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -s B -l before-context -d 'Show N lines before every line range' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -s A -l after-context -d 'Show N lines after every line range' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l header -d 'Put the first N lines of the file before the slice, unless it holds them already (CSV)' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l since -d 'Only records at or after the time T: 06:01, 2026-11-23T06:01, \'yesterday 6:00\', -15m' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l until -d 'Only records before the time T; +10m counts from --since' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l encode -d 'Write the exact bytes of any file, binary or not, in this encoding' -r -f -a "base64\t'RFC 4648, section 4, with padding'
hex\t'Two lower-case digits for each byte'
hexdump\t'Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C'"
complete -c rread -n "__fish_rread_using_subcommand lines" -l invalid -d 'What to do with bytes that are not valid in the encoding of the file [default: replace]' -r -f -a "replace\t'Each invalid sequence becomes U+FFFD'
error\t'Refuse the text, with the offset of the first invalid byte'
escape\t'Each invalid byte becomes \\xNN'"
complete -c rread -n "__fish_rread_using_subcommand lines" -l max-bytes -d 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l max-tokens -d 'Stop before the content exceeds about N tokens, as --max-bytes stops' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l max-lines -d 'Stop after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l max-columns -d 'Clip lines to N characters, and count the clipped lines' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l expect -d 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand lines" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -l highlight -d 'Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand lines" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand lines" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand lines" -l hash -d 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
complete -c rread -n "__fish_rread_using_subcommand lines" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand lines" -l merge -d 'Merge the records of all files: in the order of their times, then of the files'
complete -c rread -n "__fish_rread_using_subcommand lines" -l no-path -d 'With --merge, write no path and no number before lines'
complete -c rread -n "__fish_rread_using_subcommand lines" -s a -l text -d 'Read a binary file as if it were text'
complete -c rread -n "__fish_rread_using_subcommand lines" -s n -l number -d 'Number the lines, right-aligned to 6 digits and followed by →'
complete -c rread -n "__fish_rread_using_subcommand lines" -l metadata-only -d 'Print the receipt without the content, to see how large it would be'
complete -c rread -n "__fish_rread_using_subcommand lines" -l brief -d 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand lines" -l expect-prefix -d 'With --expect, accept a file to which text was appended'
complete -c rread -n "__fish_rread_using_subcommand lines" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand lines" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand lines" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand lines" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand lines" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand lines" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand lines" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand lines" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand lines" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand lines" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l from -d 'Take ranges from this file, or from standard input for -' -r -F
complete -c rread -n "__fish_rread_using_subcommand ranges" -l align -d 'What to do if a byte range would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]' -r -f -a "expand\t'Include the whole character'
shrink\t'Exclude the whole character'
none\t'Cut exactly at the offset'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -l hash-width -d 'Write N digits of the hash, 4 to 8 [default: 6]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l hash-style -d 'How the hash is computed and written' -r -f -a "xxh32\t'N#hhhhhh|text: digits of the xxHash32 of the bytes of the line'
omp\t'N#XX:text: two letters that ignore white space, as in the oh-my-pi editor'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -s C -l context -d 'Show N lines before and after every line range' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -s B -l before-context -d 'Show N lines before every line range' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -s A -l after-context -d 'Show N lines after every line range' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l header -d 'Put the first N lines of the file before the slice, unless it holds them already (CSV)' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l encode -d 'Write the exact bytes of any file, binary or not, in this encoding' -r -f -a "base64\t'RFC 4648, section 4, with padding'
hex\t'Two lower-case digits for each byte'
hexdump\t'Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -l invalid -d 'What to do with bytes that are not valid in the encoding of the file [default: replace]' -r -f -a "replace\t'Each invalid sequence becomes U+FFFD'
error\t'Refuse the text, with the offset of the first invalid byte'
escape\t'Each invalid byte becomes \\xNN'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -l max-bytes -d 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l max-tokens -d 'Stop before the content exceeds about N tokens, as --max-bytes stops' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l max-lines -d 'Stop after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l max-columns -d 'Clip lines to N characters, and count the clipped lines' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l expect -d 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -l highlight -d 'Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand ranges" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand ranges" -l hash -d 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l merge -d 'Merge the records of all files: in the order of their times, then of the files'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l no-path -d 'With --merge, write no path and no number before lines'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand ranges" -s a -l text -d 'Read a binary file as if it were text'
complete -c rread -n "__fish_rread_using_subcommand ranges" -s n -l number -d 'Number the lines, right-aligned to 6 digits and followed by →'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l metadata-only -d 'Print the receipt without the content, to see how large it would be'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l brief -d 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l expect-prefix -d 'With --expect, accept a file to which text was appended'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand ranges" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand ranges" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand search" -s e -l regexp -d 'Search for PATTERN; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l file -d 'Search for the patterns in the file PATTERNS, one a line; - is standard input' -r -F
complete -c rread -n "__fish_rread_using_subcommand search" -s m -l max-count -d 'Stop after N matching lines in each file' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l last -d 'Show the last N matching lines, searching from the end; with --merge, of all files' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l in -d 'Search only these lines, or bytes with the prefix b: 100:200 or -1000: or b0:1M' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l unit -d 'Match, count and show whole records or blocks in place of lines' -r -f -a "line\t'A line'
record\t'A line with a time, and those after it without one, such as a stack trace'
block\t'What indentation, brackets or a heading encloses: a function, a section, an entry'"
complete -c rread -n "__fish_rread_using_subcommand search" -s C -l context -d 'Show N lines before and after every match' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s B -l before-context -d 'Show N lines before every match' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s A -l after-context -d 'Show N lines after every match' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s r -l replace -d 'Show TEXT in place of each match; $1 and $name are groups of the pattern' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l context-separator -d 'Write SEPARATOR between groups of lines [default: --]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l field-match-separator -d 'Write SEPARATOR after names and numbers of lines that match [default: :]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l field-context-separator -d 'Write SEPARATOR after names and numbers of lines of context [default: -]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l path-separator -d 'Write SEPARATOR in place of / between the parts of paths, in raw and text' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l colors -d 'Colours as in rg: match:fg:magenta, line:none or path:style:bold; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s M -d '--max-columns' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s g -l glob -d 'Search only files whose path matches GLOB, or with ! before GLOB, only others; the last one that matches decides' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l iglob -d 'The same without regard to upper and lower case' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s t -l type -d 'Search only files of this type: rust, py, json; --type-list shows all' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s T -l type-not -d 'Search no files of this type' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l type-add -d 'Add a glob to a type: web:*.html' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l type-clear -d 'Forget the globs of a type' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-file -d 'Leave out the files that FILE names, as .gitignore does' -r -F
complete -c rread -n "__fish_rread_using_subcommand search" -s d -l max-depth -d 'Search at most N levels of directories' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l max-filesize -d 'Search only files of at most SIZE bytes: 10M' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l sort -d 'The order of the files [default: path]' -r -f -a "path\t'By name, in each directory'
none\t'As path: files always have an order'
modified\t'By the time of the last change'
accessed\t'By the time of the last read'
created\t'By the time when the file was made'"
complete -c rread -n "__fish_rread_using_subcommand search" -l sortr -d 'The same, the last file first' -r -f -a "path\t'By name, in each directory'
none\t'As path: files always have an order'
modified\t'By the time of the last change'
accessed\t'By the time of the last read'
created\t'By the time when the file was made'"
complete -c rread -n "__fish_rread_using_subcommand search" -s j -l threads -r
complete -c rread -n "__fish_rread_using_subcommand search" -l dfa-size-limit -r
complete -c rread -n "__fish_rread_using_subcommand search" -l engine -r -f -a "default\t''
auto\t''"
complete -c rread -n "__fish_rread_using_subcommand search" -l hyperlink-format -r -f -a "none\t''"
complete -c rread -n "__fish_rread_using_subcommand search" -l since -d 'Only records at or after the time T: 06:01, 2026-11-23T06:01, \'yesterday 6:00\', -15m' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l until -d 'Only records before the time T; +10m counts from --since' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l hash-width -d 'Write N digits of the hash, 4 to 8 [default: 6]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l hash-style -d 'How the hash is computed and written' -r -f -a "xxh32\t'N#hhhhhh|text: digits of the xxHash32 of the bytes of the line'
omp\t'N#XX:text: two letters that ignore white space, as in the oh-my-pi editor'"
complete -c rread -n "__fish_rread_using_subcommand search" -l encode -d 'Write the exact bytes of any file, binary or not, in this encoding' -r -f -a "base64\t'RFC 4648, section 4, with padding'
hex\t'Two lower-case digits for each byte'
hexdump\t'Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C'"
complete -c rread -n "__fish_rread_using_subcommand search" -l invalid -d 'What to do with bytes that are not valid in the encoding of the file [default: replace]' -r -f -a "replace\t'Each invalid sequence becomes U+FFFD'
error\t'Refuse the text, with the offset of the first invalid byte'
escape\t'Each invalid byte becomes \\xNN'"
complete -c rread -n "__fish_rread_using_subcommand search" -l max-bytes -d 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l max-tokens -d 'Stop before the content exceeds about N tokens, as --max-bytes stops' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l max-lines -d 'Stop after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l max-columns -d 'Clip lines to N characters, and count the clipped lines' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l expect -d 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand search" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand search" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand search" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand search" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand search" -s F -l fixed-strings -d 'Take PATTERN as a string, not as a regular expression'
complete -c rread -n "__fish_rread_using_subcommand search" -s i -l ignore-case -d 'Ignore case'
complete -c rread -n "__fish_rread_using_subcommand search" -s S -l smart-case -d 'Ignore case unless PATTERN has an upper-case letter'
complete -c rread -n "__fish_rread_using_subcommand search" -s w -l word-regexp -d 'Match whole words only'
complete -c rread -n "__fish_rread_using_subcommand search" -s x -l line-regexp -d 'Match whole lines only'
complete -c rread -n "__fish_rread_using_subcommand search" -s v -l invert-match -d 'Show the lines that do not match'
complete -c rread -n "__fish_rread_using_subcommand search" -s U -l multiline -d 'Find matches of several lines; their lines are shown'
complete -c rread -n "__fish_rread_using_subcommand search" -l multiline-dotall -d 'With -U, a dot matches a newline too'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-unicode -d 'Take \\w, \\d and the like as those of ASCII'
complete -c rread -n "__fish_rread_using_subcommand search" -l stop-on-nonmatch -d 'Stop at the first line that does not match after one that does, in each file'
complete -c rread -n "__fish_rread_using_subcommand search" -l enclosing -d 'Show the lines that enclose each match above it: the function, the class, the section'
complete -c rread -n "__fish_rread_using_subcommand search" -s z -l search-zip -d 'Search archives below directories, member by member'
complete -c rread -n "__fish_rread_using_subcommand search" -s c -l count -d 'Show only the number of matching lines; with -o or -U, of matches'
complete -c rread -n "__fish_rread_using_subcommand search" -l count-matches -d 'Show only the number of matches'
complete -c rread -n "__fish_rread_using_subcommand search" -l include-zero -d 'With -c or --count-matches, show files without a match too'
complete -c rread -n "__fish_rread_using_subcommand search" -s l -l files-with-matches -d 'Show only the names of files with a match'
complete -c rread -n "__fish_rread_using_subcommand search" -l files-without-match -d 'Show only the names of files without a match'
complete -c rread -n "__fish_rread_using_subcommand search" -s q -l quiet -d 'Show nothing; the exit code says whether a line matches'
complete -c rread -n "__fish_rread_using_subcommand search" -s 0 -l null -d 'End names of files with a NUL, for xargs -0; with --raw or -f text'
complete -c rread -n "__fish_rread_using_subcommand search" -l null-data -d 'Lines end with a NUL in place of a newline, in files and in the output; with --raw or -f text'
complete -c rread -n "__fish_rread_using_subcommand search" -s o -l only-matching -d 'Show only the matches, one a line; with --max-columns, with as much of the line around each'
complete -c rread -n "__fish_rread_using_subcommand search" -l passthru -d 'Show all lines, those without a match as context'
complete -c rread -n "__fish_rread_using_subcommand search" -l trim -d 'Leave out white space at the beginning of lines'
complete -c rread -n "__fish_rread_using_subcommand search" -s N -l no-line-number -d 'Show no line numbers'
complete -c rread -n "__fish_rread_using_subcommand search" -l column -d 'Put the place of the first match in the line, in bytes from 1, after the line number'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-column
complete -c rread -n "__fish_rread_using_subcommand search" -s b -l byte-offset -d 'Put the offset of the line, or with -o of the match, after the line number'
complete -c rread -n "__fish_rread_using_subcommand search" -l vimgrep -d 'Show the line once for each match, with name, line and column'
complete -c rread -n "__fish_rread_using_subcommand search" -s H -l with-filename -d 'Put the name of the file before lines, in text; the default if there are several files'
complete -c rread -n "__fish_rread_using_subcommand search" -s I -l no-filename -d 'Put no name before lines'
complete -c rread -n "__fish_rread_using_subcommand search" -l heading -d 'Show the name of the file once, above its lines, in text'
complete -c rread -n "__fish_rread_using_subcommand search" -s p -l pretty -d 'Colours, and in text names above lines'
complete -c rread -n "__fish_rread_using_subcommand search" -l crlf -d 'Lines end with \\r\\n: $ matches before it in every file, and so end the lines of -o'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-context-separator -d 'Write nothing between groups of lines'
complete -c rread -n "__fish_rread_using_subcommand search" -l stats -d 'End raw and text with the sums over all files; the other formats have them in the receipt'
complete -c rread -n "__fish_rread_using_subcommand search" -l type-list -d 'Show the types of files and their globs'
complete -c rread -n "__fish_rread_using_subcommand search" -l files -d 'Show the files that would be searched, without a PATTERN'
complete -c rread -n "__fish_rread_using_subcommand search" -s . -l hidden -d 'Search hidden files and directories too'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore -d 'Search files too that .gitignore, .ignore and .rgignore name'
complete -c rread -n "__fish_rread_using_subcommand search" -s u -l unrestricted -d 'Once: --no-ignore; twice: also --hidden; three times: also --binary'
complete -c rread -n "__fish_rread_using_subcommand search" -l binary -d 'Search binary files too, as text'
complete -c rread -n "__fish_rread_using_subcommand search" -s L -l follow -d 'Follow symbolic links'
complete -c rread -n "__fish_rread_using_subcommand search" -l one-file-system -d 'Stay on the file system of the directory'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-messages -d 'Do not report files and directories that cannot be read'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-hidden
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-vcs
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-dot
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-exclude
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-global
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-parent
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-files
complete -c rread -n "__fish_rread_using_subcommand search" -l require-git
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-file-case-insensitive
complete -c rread -n "__fish_rread_using_subcommand search" -l no-glob-case-insensitive
complete -c rread -n "__fish_rread_using_subcommand search" -l no-follow
complete -c rread -n "__fish_rread_using_subcommand search" -l no-one-file-system
complete -c rread -n "__fish_rread_using_subcommand search" -l no-binary
complete -c rread -n "__fish_rread_using_subcommand search" -l sort-files
complete -c rread -n "__fish_rread_using_subcommand search" -l no-sort-files
complete -c rread -n "__fish_rread_using_subcommand search" -l messages
complete -c rread -n "__fish_rread_using_subcommand search" -l no-fixed-strings
complete -c rread -n "__fish_rread_using_subcommand search" -l no-invert-match
complete -c rread -n "__fish_rread_using_subcommand search" -l no-text
complete -c rread -n "__fish_rread_using_subcommand search" -l no-multiline
complete -c rread -n "__fish_rread_using_subcommand search" -l no-multiline-dotall
complete -c rread -n "__fish_rread_using_subcommand search" -l unicode
complete -c rread -n "__fish_rread_using_subcommand search" -l line-number
complete -c rread -n "__fish_rread_using_subcommand search" -l no-trim
complete -c rread -n "__fish_rread_using_subcommand search" -l no-byte-offset
complete -c rread -n "__fish_rread_using_subcommand search" -l no-heading
complete -c rread -n "__fish_rread_using_subcommand search" -l no-include-zero
complete -c rread -n "__fish_rread_using_subcommand search" -l no-stats
complete -c rread -n "__fish_rread_using_subcommand search" -l no-crlf
complete -c rread -n "__fish_rread_using_subcommand search" -l mmap
complete -c rread -n "__fish_rread_using_subcommand search" -l no-mmap
complete -c rread -n "__fish_rread_using_subcommand search" -l line-buffered
complete -c rread -n "__fish_rread_using_subcommand search" -l no-line-buffered
complete -c rread -n "__fish_rread_using_subcommand search" -l block-buffered
complete -c rread -n "__fish_rread_using_subcommand search" -l no-block-buffered
complete -c rread -n "__fish_rread_using_subcommand search" -l no-config
complete -c rread -n "__fish_rread_using_subcommand search" -l max-columns-preview
complete -c rread -n "__fish_rread_using_subcommand search" -l no-max-columns-preview
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-messages
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-messages
complete -c rread -n "__fish_rread_using_subcommand search" -l no-pcre2
complete -c rread -n "__fish_rread_using_subcommand search" -l no-auto-hybrid-regex
complete -c rread -n "__fish_rread_using_subcommand search" -l no-pre
complete -c rread -n "__fish_rread_using_subcommand search" -l no-encoding
complete -c rread -n "__fish_rread_using_subcommand search" -s s -l case-sensitive
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-vcs
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-dot
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-exclude
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-global
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-parent
complete -c rread -n "__fish_rread_using_subcommand search" -l no-ignore-files
complete -c rread -n "__fish_rread_using_subcommand search" -l no-require-git
complete -c rread -n "__fish_rread_using_subcommand search" -l ignore-file-case-insensitive
complete -c rread -n "__fish_rread_using_subcommand search" -l glob-case-insensitive
complete -c rread -n "__fish_rread_using_subcommand search" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand search" -l merge -d 'Merge the records of all files: in the order of their times, then of the files'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-path -d 'With --merge, write no path and no number before lines'
complete -c rread -n "__fish_rread_using_subcommand search" -l hash -d 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
complete -c rread -n "__fish_rread_using_subcommand search" -s a -l text -d 'Read a binary file as if it were text'
complete -c rread -n "__fish_rread_using_subcommand search" -s n -l number -d 'Accepted, as in rg: lines have their numbers anyway'
complete -c rread -n "__fish_rread_using_subcommand search" -l metadata-only -d 'Print the receipt without the content, to see how large it would be'
complete -c rread -n "__fish_rread_using_subcommand search" -l brief -d 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand search" -l expect-prefix -d 'With --expect, accept a file to which text was appended'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand search" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand search" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand search" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand search" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand search" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand search" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand search" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand search" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand follow" -s n -l lines -d 'Begin with the last N lines of each file, or with line N for +N [default: 10]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s c -l bytes -d 'Begin with the last N bytes of each file, or with byte N (the first is 1) for +N' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l until-match -d 'End after the first line that matches PATTERN, a regular expression; the lines of -n count too' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s A -l after-context -d 'With --until-match, print only the match and N lines after it' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s B -l before-context -d 'With --until-match, print only the match and N lines before it' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s C -l context -d 'With --until-match, print only the match and N lines before and after it; with 0, the match alone' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l timeout -d 'End with exit code 1 if there is no match for DURATION, such as 60s; without --until-match, if nothing comes' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l pid -d 'End when the process P ends, after what it wrote' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l max-bytes -d 'End before the content exceeds N bytes [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l max-lines -d 'End after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l poll -d 'Look for changes every DURATION, and do not wait for events' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s s -l sleep-interval -d 'Look every SECONDS at files whose changes the system does not report [default: 1]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l hold -d 'How long a record waits for earlier ones of the other files [default: 500ms]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l since -d 'Only records at or after the time T: 06:01, 2026-11-23T06:01, \'yesterday 6:00\', -15m' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l until -d 'Only records before the time T; +10m counts from --since' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand follow" -s f -l format -d 'Write what comes in this format [default: text, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand follow" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand follow" -s q -l quiet -d 'Print no headers with the names of files'
complete -c rread -n "__fish_rread_using_subcommand follow" -l brief -d 'Without effect, because nothing that follow prints has a receipt'
complete -c rread -n "__fish_rread_using_subcommand follow" -s v -l verbose -d 'Print headers with the names of files even for one file'
complete -c rread -n "__fish_rread_using_subcommand follow" -l merge -d 'Print the records of all files in the order of their times, with the name of the file before each line of text'
complete -c rread -n "__fish_rread_using_subcommand follow" -l plain -d 'Print each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand follow" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand follow" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand follow" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand follow" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand follow" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand page" -l page-size -d 'Bytes of a page; a line that does not fit begins the next page [default: 4000, or the page size of a capture]' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l page -d 'Another way to write N, as other programs for documents have it' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l hash-width -d 'Write N digits of the hash, 4 to 8 [default: 6]' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l hash-style -d 'How the hash is computed and written' -r -f -a "xxh32\t'N#hhhhhh|text: digits of the xxHash32 of the bytes of the line'
omp\t'N#XX:text: two letters that ignore white space, as in the oh-my-pi editor'"
complete -c rread -n "__fish_rread_using_subcommand page" -l encode -d 'Write the exact bytes of any file, binary or not, in this encoding' -r -f -a "base64\t'RFC 4648, section 4, with padding'
hex\t'Two lower-case digits for each byte'
hexdump\t'Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C'"
complete -c rread -n "__fish_rread_using_subcommand page" -l invalid -d 'What to do with bytes that are not valid in the encoding of the file [default: replace]' -r -f -a "replace\t'Each invalid sequence becomes U+FFFD'
error\t'Refuse the text, with the offset of the first invalid byte'
escape\t'Each invalid byte becomes \\xNN'"
complete -c rread -n "__fish_rread_using_subcommand page" -l max-bytes -d 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l max-tokens -d 'Stop before the content exceeds about N tokens, as --max-bytes stops' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l max-lines -d 'Stop after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l max-columns -d 'Clip lines to N characters, and count the clipped lines' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l expect -d 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand page" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand page" -l highlight -d 'Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand page" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand page" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand page" -l all -d 'Write every page, each with its receipt'
complete -c rread -n "__fish_rread_using_subcommand page" -l hash -d 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
complete -c rread -n "__fish_rread_using_subcommand page" -s a -l text -d 'Read a binary file as if it were text'
complete -c rread -n "__fish_rread_using_subcommand page" -s n -l number -d 'Number the lines, right-aligned to 6 digits and followed by →'
complete -c rread -n "__fish_rread_using_subcommand page" -l metadata-only -d 'Print the receipt without the content, to see how large it would be'
complete -c rread -n "__fish_rread_using_subcommand page" -l brief -d 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand page" -l expect-prefix -d 'With --expect, accept a file to which text was appended'
complete -c rread -n "__fish_rread_using_subcommand page" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand page" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand page" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand page" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand page" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand page" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand page" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand page" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand page" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand page" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand stat" -l patterns -d 'List N kinds of lines, the most frequent and the rarest, and count them all' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l rarest -d 'List the N rarest kinds of lines, each with its whole first line' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l offset -d 'With --list, begin with this member, from 1' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l max-lines -d 'With --list, stop after N members' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l max-bytes -d 'With --list, stop before the list exceeds N bytes [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l since -d 'Only records at or after the time T: 06:01, 2026-11-23T06:01, \'yesterday 6:00\', -15m' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l until -d 'Only records before the time T; +10m counts from --since' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand stat" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand stat" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand stat" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand stat" -l count -d 'Scan the file for its exact lines, longest line, line ends and invalid text'
complete -c rread -n "__fish_rread_using_subcommand stat" -l list -d 'List the members of a tar or ZIP archive, also of a compressed one, one a line'
complete -c rread -n "__fish_rread_using_subcommand stat" -l brief -d 'Leave out of the receipt all but the kind, the size, the lines and pages, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand stat" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand stat" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand stat" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand stat" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand stat" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand stat" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand stat" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand stat" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand stat" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand stat" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand stat" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand where" -l byte -d 'A byte offset, from 0, such as 1048576 or 1MiB; -N counts from the end; this, --line or --time is required' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l line -d 'A line number, from 1; -N counts from the end; this, --byte or --time is required' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l time -d 'A time, such as 06:01, 2026-11-23T06:01 or -15m: the first record at or after it' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand where" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand where" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand where" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand where" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand where" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand where" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand where" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand where" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand where" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand where" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand where" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand where" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand where" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand where" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand where" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand verify" -l from -d 'Take anchors from this file, or from standard input for -, one a line' -r -F
complete -c rread -n "__fish_rread_using_subcommand verify" -l since -d 'Compare the lines that were read with --hash when the file was in the state VERSION, or those of them that are named' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -s C -l context -d 'Show N lines before and after the lines that changed' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l encode -d 'Write the exact bytes of any file, binary or not, in this encoding' -r -f -a "base64\t'RFC 4648, section 4, with padding'
hex\t'Two lower-case digits for each byte'
hexdump\t'Offset, 16 bytes in hex, and their characters in each row, as hexdump -v -C'"
complete -c rread -n "__fish_rread_using_subcommand verify" -l invalid -d 'What to do with bytes that are not valid in the encoding of the file [default: replace]' -r -f -a "replace\t'Each invalid sequence becomes U+FFFD'
error\t'Refuse the text, with the offset of the first invalid byte'
escape\t'Each invalid byte becomes \\xNN'"
complete -c rread -n "__fish_rread_using_subcommand verify" -l max-bytes -d 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l max-tokens -d 'Stop before the content exceeds about N tokens, as --max-bytes stops' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l max-lines -d 'Stop after N lines' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l max-columns -d 'Clip lines to N characters, and count the clipped lines' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l expect -d 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand verify" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand verify" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand verify" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand verify" -s a -l text -d 'Read a binary file as if it were text'
complete -c rread -n "__fish_rread_using_subcommand verify" -s n -l number -d 'Number the lines, right-aligned to 6 digits and followed by →'
complete -c rread -n "__fish_rread_using_subcommand verify" -l metadata-only -d 'Print the receipt without the content, to see how large it would be'
complete -c rread -n "__fish_rread_using_subcommand verify" -l brief -d 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand verify" -l expect-prefix -d 'With --expect, accept a file to which text was appended'
complete -c rread -n "__fish_rread_using_subcommand verify" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand verify" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand verify" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand verify" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand verify" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand verify" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand verify" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand verify" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand verify" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l name -d 'Add the handle fd:NAME, and keep the output however short it is' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l page-size -d 'Bytes of a page, at least 4 [default: 4000, or RREAD_MAX_BYTES if that is less]' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l direct -d 'Print output of at most N bytes as it is, and keep it only with --name [default: 8000, or RREAD_MAX_BYTES if that is less]' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l limit -d 'Keep the first SIZE bytes, and only count the rest' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l max-bytes -d 'Show at most N bytes, also of a page; keep output of more bytes [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l max-lines -d 'Show at most N lines; keep output of more lines' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l max-columns -d 'Clip lines to N characters, and count the clipped lines; keep output with such lines' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l ansi -d 'Show escape sequences and overwritten progress bars: strip (not at all) or keep (as written)' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l stdout-only -d 'Keep standard output only; standard error is not redirected'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l always-zero -d 'Exit with 0 however CMD ended; its status is in the receipt'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l metadata-only -d 'Print only the receipt, and keep the output however short it is'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l brief -d 'Leave out of the receipt all but fd, exit_status, lines, total_lines, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -a "list" -d 'List the captures of this session, the oldest first'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -a "save" -d 'Write a capture to a file'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -a "drop" -d 'Remove captures: those named, all of this session, or the old ones'
complete -c rread -n "__fish_rread_using_subcommand capture; and not __fish_seen_subcommand_from list save drop help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from list" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from list" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from list" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from list" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from list" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l ansi -d 'Which text to write: keep (as stored) or strip (without escape sequences)' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l append -d 'Add to the end of the file, or create it'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l force -d 'Replace the file, or create it'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l no-create -d 'With --append or --force, write only to a file that exists'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from save" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -l older-than -d 'Remove captures older than this, such as 7d or 12h' -r
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -l all -d 'Remove all captures of this session'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from drop" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the captures of this session, the oldest first'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from help" -f -a "save" -d 'Write a capture to a file'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from help" -f -a "drop" -d 'Remove captures: those named, all of this session, or the old ones'
complete -c rread -n "__fish_rread_using_subcommand capture; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rread -n "__fish_rread_using_subcommand image" -l thumbnail -d 'Return a smaller picture that fits into N by N pixels' -r
complete -c rread -n "__fish_rread_using_subcommand image" -l max-bytes -d 'Return at most N bytes: the exact bytes if they fit, otherwise roughly the largest thumbnail that fits [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand image" -l page -d 'Return page N of a TIFF, as a thumbnail of its own size if --thumbnail gives no other' -r
complete -c rread -n "__fish_rread_using_subcommand image" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand image" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand image" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand image" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand image" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand image" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand image" -l no-data -l metadata-only -d 'Print the receipt without the data'
complete -c rread -n "__fish_rread_using_subcommand image" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand image" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand image" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand image" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand image" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand image" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand image" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand image" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand image" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand select" -l table -d 'Make FILE the table NAME, for joins; several times for several tables, or for several files of one' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l expect -d 'Query the files only if they are in the state VERSION of an earlier receipt; otherwise exit with 7' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l output -d 'Write the rows in this style' -r -f -a "csv\t'Values with commas between, names in the first line (RFC 4180); NULL is empty, an empty text is ""'
jsonl\t'A JSON object a line'
json\t'An array of JSON objects'
table\t'Aligned columns, for people'"
complete -c rread -n "__fish_rread_using_subcommand select" -l input -d 'The kind of table [default: by content and name]' -r -f -a "csv\t'Comma-separated values (RFC 4180), or with another delimiter'
json\t'JSON values one after another, or an array of them'
jsonl\t'A JSON object a line, or an array'
parquet\t'Apache Parquet'
lines\t'A row for each line of any text: _line and line'
log\t'A row for each record of a log: _line, _time, _level and line'"
complete -c rread -n "__fish_rread_using_subcommand select" -l parse -d 'Find values in records and lines, and make columns of them: clf, combined, logfmt, json, \'<a> <_> \\"<b>\\"\' or a regex' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l sheet -d 'The sheet of a workbook that is the table t, by name or number [default: the first visible one with values]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l delimiter -d 'The characters between the values of a CSV, tab, or blanks for as many spaces and tabs as there are [default: the one of , tab ; and | that its records show]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l skip-lines -d 'Leave out the first N lines of a CSV, which come before the table' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l quote -d 'The character around values of a CSV; \'\' for none [default: a double quote, if its values show no other]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l escape -d 'The character before a quote in a quoted value [default: a quote, or a backslash if the values show it]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l comment -d 'Ignore lines of a CSV that begin with this character' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l null -d 'Read this value of a CSV as NULL, like the empty one; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l decimal -d 'The decimal point of numbers in a CSV: . or , [default: a comma if semicolons divide values, and the numbers show it]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l thousands -d 'The character between thousands in numbers of a CSV, as in 1,250 or 1.250' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l date-order -d 'The order of day and month in dates of a CSV that end with the year [default: the only one that all values have]' -r -f -a "dmy\t'As in 31/01/2026'
mdy\t'As in 01/31/2026'
ymd\t'Only dates that begin with the year; others are text'"
complete -c rread -n "__fish_rread_using_subcommand select" -l schema -d 'Types of columns, instead of those inferred from the first MiB: amount:float64,zip:utf8 or *:utf8' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l since -d 'Only records at or after the time T: 06:01, 2026-11-23T06:01, \'yesterday 6:00\', -15m' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l until -d 'Only records before the time T; +10m counts from --since' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l offset -d 'Leave out the first N rows of the result' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l max-rows -l max-lines -d 'Return at most N rows, and say how to go on' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l max-bytes -d 'Return whole rows of at most N bytes, and say how to go on [default: RREAD_MAX_BYTES]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l memory -d 'Use at most SIZE of memory for sorting, grouping and joining [default: 512MiB]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l workers -d 'Let these workers do the query: HOST:PORT,..., @FILE with one on each line, or dns:NAME:PORT for all addresses of a name [default: RREAD_WORKERS]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l token-file -d 'The file with the secret that the workers know' -r -F
complete -c rread -n "__fish_rread_using_subcommand select" -l tls-ca -d 'Encrypt, and trust workers whose certificate is signed by one of those in this file (PEM)' -r -F
complete -c rread -n "__fish_rread_using_subcommand select" -l timeout -d 'Stop the whole query after DURATION, such as 60s, with exit code 3' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand select" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand select" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand select" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand select" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand select" -l union -d 'Columns that some of the files lack are NULL there'
complete -c rread -n "__fish_rread_using_subcommand select" -l no-partitions -d 'Do not make columns of directories such as day=2026-11-01'
complete -c rread -n "__fish_rread_using_subcommand select" -l skip-unreadable -d 'Leave out and count files that cannot be read'
complete -c rread -n "__fish_rread_using_subcommand select" -l files -d 'List the names of the files, one a line, and open none; with SQL, those that it does not exclude'
complete -c rread -n "__fish_rread_using_subcommand select" -s 0 -l print0 -d 'With --files, end names with a NUL, for xargs -0; with --raw or -f text'
complete -c rread -n "__fish_rread_using_subcommand select" -l header -d 'The first record holds the names of the columns [default: if it is not like the records below it]'
complete -c rread -n "__fish_rread_using_subcommand select" -l no-header -d 'Read the first record like the others, and call the columns _1, _2 and so on'
complete -c rread -n "__fish_rread_using_subcommand select" -l pad -d 'Make values NULL that a record of a CSV lacks at its end'
complete -c rread -n "__fish_rread_using_subcommand select" -l skip-bad -d 'Leave out and count records that have too few or too many values, or a value of another type'
complete -c rread -n "__fish_rread_using_subcommand select" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand select" -l metadata-only -d 'Print the receipt without the rows'
complete -c rread -n "__fish_rread_using_subcommand select" -l brief -d 'Leave out of the receipt all but the number of rows, truncated and next, and what is out of the ordinary'
complete -c rread -n "__fish_rread_using_subcommand select" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand select" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand select" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand select" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand select" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand select" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand select" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand select" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand select" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand index; and not __fish_seen_subcommand_from build show list clear help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand index; and not __fish_seen_subcommand_from build show list clear help" -f -a "build" -d 'Scan a file and keep its whole index'
complete -c rread -n "__fish_rread_using_subcommand index; and not __fish_seen_subcommand_from build show list clear help" -f -a "show" -d 'Show what the index of a file covers, and whether it can be trusted'
complete -c rread -n "__fish_rread_using_subcommand index; and not __fish_seen_subcommand_from build show list clear help" -f -a "list" -d 'List all indexes, the most recently used first'
complete -c rread -n "__fish_rread_using_subcommand index; and not __fish_seen_subcommand_from build show list clear help" -f -a "clear" -d 'Remove indexes: those of the named files, all, or those not used for some time'
complete -c rread -n "__fish_rread_using_subcommand index; and not __fish_seen_subcommand_from build show list clear help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from build" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from list" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from list" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from list" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from list" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from list" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -l older-than -d 'Remove indexes not used for this time, such as 30d or 12h' -r
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -l all -d 'Remove all indexes, and the hashes that verify --since compares'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from clear" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "build" -d 'Scan a file and keep its whole index'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show what the index of a file covers, and whether it can be trusted'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "list" -d 'List all indexes, the most recently used first'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "clear" -d 'Remove indexes: those of the named files, all, or those not used for some time'
complete -c rread -n "__fish_rread_using_subcommand index; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rread -n "__fish_rread_using_subcommand view" -l time -l since -d 'Begin with the first record at or after the time T: 06:01, 2026-11-23T06:01 or -15m' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l until -d 'End the view before the first record at or after the time T; +10m counts from --since' -r
complete -c rread -n "__fish_rread_using_subcommand view" -s p -l pattern -d 'Begin with the first line that matches PATTERN, a regular expression' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l highlight -d 'Colour source code: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l tz -d 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l time-format -d 'The format of the times in the file, as in strptime, such as \'%d.%m.%y %H:%M:%S\'' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l year -d 'The year of the last record, for times without a year [default: that of the file]' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l slack -d 'How far records may be out of order [default: 10s]' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l timeout -d 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l retries -d 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l http-header -d 'Send this header to web servers, such as \'Authorization: Bearer TOKEN\'; may be given several times' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l ansi -d 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]' -r -f -a "strip\t'Without escape sequences, overwritten progress and overstrikes'
keep\t'As they were written'"
complete -c rread -n "__fish_rread_using_subcommand view" -s E -l encoding -d 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]' -r
complete -c rread -n "__fish_rread_using_subcommand view" -l follow -d 'Begin with the end, and show what is appended as it comes, as +F does'
complete -c rread -n "__fish_rread_using_subcommand view" -l merge -d 'Show the records of several FILEs as one text: in the order of their times, then of the files'
complete -c rread -n "__fish_rread_using_subcommand view" -l no-path -d 'With --merge, show no names of files before lines'
complete -c rread -n "__fish_rread_using_subcommand view" -s F -l one-screen -l quit-if-one-screen -d 'Print the file and quit if one screen shows everything'
complete -c rread -n "__fish_rread_using_subcommand view" -s N -l number -d 'Show line numbers'
complete -c rread -n "__fish_rread_using_subcommand view" -s S -l chop -d 'Cut long lines at the edge of the screen; left and right scroll them'
complete -c rread -n "__fish_rread_using_subcommand view" -s i -l ignore-case -d 'Ignore case in searches, unless a pattern has an upper-case letter'
complete -c rread -n "__fish_rread_using_subcommand view" -s I -l IGNORE-CASE -d 'Ignore case in searches, also that of the pattern'
complete -c rread -n "__fish_rread_using_subcommand view" -s G -l HILITE-SEARCH -d 'Do not highlight matches'
complete -c rread -n "__fish_rread_using_subcommand view" -s U -l UNDERLINE-SPECIAL -d 'Show escape sequences and overstrikes as text'
complete -c rread -n "__fish_rread_using_subcommand view" -l fold -d 'Show each JSON line as time, level and message, then the other members as key=value'
complete -c rread -n "__fish_rread_using_subcommand view" -s R -l RAW-CONTROL-CHARS -d 'Options of less for what rread does anyway. Each may be given several times'
complete -c rread -n "__fish_rread_using_subcommand view" -s n -l line-numbers
complete -c rread -n "__fish_rread_using_subcommand view" -l scan -d 'Look at every record, for files that are out of order'
complete -c rread -n "__fish_rread_using_subcommand view" -l no-index -d 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
complete -c rread -n "__fish_rread_using_subcommand view" -l stream -d 'Read FILE as it comes, even if it is a named pipe or a character device'
complete -c rread -n "__fish_rread_using_subcommand view" -l salvage -d 'Read a damaged compressed file as if it ended where the damage begins'
complete -c rread -n "__fish_rread_using_subcommand view" -l plain -d 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased'
complete -c rread -n "__fish_rread_using_subcommand view" -l anonymous -d 'Send no credentials, for public objects'
complete -c rread -n "__fish_rread_using_subcommand view" -l no-decompress -d 'Read the bytes of a compressed file as they are'
complete -c rread -n "__fish_rread_using_subcommand view" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand doctor" -s f -l format -d 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]' -r -f -a "frontmatter\t'YAML between `---` lines, then the content'
json\t'One JSON document'
raw\t'The bytes of the file and nothing else'
text\t'The content alone, as UTF-8'
xml\t'The keys of frontmatter as attributes, with all text escaped'"
complete -c rread -n "__fish_rread_using_subcommand doctor" -l color -d 'Colour metadata keys, line numbers, matches and hex dumps' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set or TERM is dumb'
always\t'Always'
never\t'Never'"
complete -c rread -n "__fish_rread_using_subcommand doctor" -l anonymous -d 'Report what requests without credentials would use'
complete -c rread -n "__fish_rread_using_subcommand doctor" -l json -d 'Short for --format json'
complete -c rread -n "__fish_rread_using_subcommand doctor" -l raw -d 'Short for --format raw: the bytes of the file and nothing else'
complete -c rread -n "__fish_rread_using_subcommand doctor" -l xml -d 'Short for --format xml'
complete -c rread -n "__fish_rread_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand call" -l root -d 'Read only files below DIR; may be given several times' -r -F
complete -c rread -n "__fish_rread_using_subcommand call" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand mcp" -l root -d 'Directory that clients may read; may be given several times [default: the working directory]' -r -F
complete -c rread -n "__fish_rread_using_subcommand mcp" -l timeout -d 'End a call that works longer than DURATION, unless its argument timeout says otherwise' -r
complete -c rread -n "__fish_rread_using_subcommand mcp" -l allow-capture -d 'Offer the tool capture, which runs any command, and read captures (fd:N)'
complete -c rread -n "__fish_rread_using_subcommand mcp" -l allow-remote -d 'Read objects and web pages by their URLs, with the credentials of the environment'
complete -c rread -n "__fish_rread_using_subcommand mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand worker" -l listen -d 'Where clients connect; port 0 is any free one' -r
complete -c rread -n "__fish_rread_using_subcommand worker" -l root -d 'URL or directory below which clients may read; may be given several times' -r -F
complete -c rread -n "__fish_rread_using_subcommand worker" -l token-file -d 'The file with the secret that clients and other workers know, at least 16 characters [default: one that only this user can read, whose path the worker prints]' -r -F
complete -c rread -n "__fish_rread_using_subcommand worker" -l memory -d 'Use at most SIZE of memory for sorting, grouping and joining, of all queries together; the worker ends when it takes four times that' -r
complete -c rread -n "__fish_rread_using_subcommand worker" -l timeout -d 'End a query that takes longer than DURATION, such as 10m' -r
complete -c rread -n "__fish_rread_using_subcommand worker" -l tls-cert -d 'Encrypt, with the certificate in this file (PEM)' -r -F
complete -c rread -n "__fish_rread_using_subcommand worker" -l tls-key -d 'The key of the certificate (PEM)' -r -F
complete -c rread -n "__fish_rread_using_subcommand worker" -l tls-ca -d 'Trust other workers whose certificate is signed by one of those in this file (PEM) [default: the certificate itself]' -r -F
complete -c rread -n "__fish_rread_using_subcommand worker" -l check -d 'Check the options, the roots and the address, and end'
complete -c rread -n "__fish_rread_using_subcommand worker" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "bytes" -d 'Read byte ranges, cut at character edges'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "lines" -d 'Read line ranges by number, from the front or from the end'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "ranges" -d 'Read many ranges of lines and bytes in one pass'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "search" -d 'Show the lines that match a pattern, in files of any kind and size'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "follow" -d 'Print the last lines of files, and what is appended to them, as it comes'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "page" -d 'Read a file page by page, at the same cost for any page of any file'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "stat" -d 'Report what a file is, without reading it all'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "where" -d 'Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "verify" -d 'Report which lines have changed since they were read with --hash'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "capture" -d 'Keep the output of a command, or standard input, and read it in parts by its handle'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "image" -d 'Report format, size and mode of a picture, and return its bytes as a data URI'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "select" -d 'Run an SQL query on the table in a file'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "index" -d 'Build, show, list and clear line indexes'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "view" -d 'Look at a file of any size full-screen, with the keys of less'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "doctor" -d 'Report what this build has, where it keeps files, and what it would use for a URL'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "call" -d 'Call a tool for agents once, without a server'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "mcp" -d 'Serve the tools for agents over the Model Context Protocol, on standard input and output'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "worker" -d 'Do parts of the queries that rread select --workers sends from other machines'
complete -c rread -n "__fish_rread_using_subcommand help; and not __fish_seen_subcommand_from bytes lines ranges search follow page stat where verify capture image select index view doctor call mcp worker help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from capture" -f -a "list" -d 'List the captures of this session, the oldest first'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from capture" -f -a "save" -d 'Write a capture to a file'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from capture" -f -a "drop" -d 'Remove captures: those named, all of this session, or the old ones'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from index" -f -a "build" -d 'Scan a file and keep its whole index'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from index" -f -a "show" -d 'Show what the index of a file covers, and whether it can be trusted'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from index" -f -a "list" -d 'List all indexes, the most recently used first'
complete -c rread -n "__fish_rread_using_subcommand help; and __fish_seen_subcommand_from index" -f -a "clear" -d 'Remove indexes: those of the named files, all, or those not used for some time'
