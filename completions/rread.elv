
use builtin;
use str;

set edit:completion:arg-completer[rread] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'rread'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'rread'= {
            cand --schema 'Print the JSON Schema of every answer and of errors, or the commands as tools for function calling'
            cand --generate 'Print a man page or a shell completion'
            cand --help-agent 'Print a guide for agents: which command to call, how to read a receipt and how to go on'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand bytes 'Read byte ranges, cut at character edges'
            cand lines 'Read line ranges by number, from the front or from the end'
            cand ranges 'Read many ranges of lines and bytes in one pass'
            cand search 'Show the lines that match a pattern, in files of any kind and size'
            cand follow 'Print the last lines of files, and what is appended to them, as it comes'
            cand page 'Read a file page by page, at the same cost for any page of any file'
            cand stat 'Report what a file is, without reading it all'
            cand where 'Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line'
            cand verify 'Report which lines have changed since they were read with --hash'
            cand capture 'Keep the output of a command, or standard input, and read it in parts by its handle'
            cand image 'Report format, size and mode of a picture, and return its bytes as a data URI'
            cand select 'Run an SQL query on the table in a file'
            cand index 'Build, show, list and clear line indexes'
            cand mcp 'Serve the tools for agents over the Model Context Protocol, on standard input and output'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;bytes'= {
            cand --start-byte 'First byte, from 0; -N counts from the end'
            cand --end-byte 'Byte to stop before; -N counts from the end'
            cand --align 'What to do if a range would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]'
            cand --encode 'Write the exact bytes of any file, binary or not, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the encoding of the file [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines'
            cand --expect 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --number 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --metadata-only 'Print the receipt without the content, to see how large it would be'
            cand --expect-prefix 'With --expect, accept a file to which text was appended'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;lines'= {
            cand --offset 'First line, from 1; -N counts from the end'
            cand --limit 'Number of lines'
            cand --hash-width 'Write N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is computed and written'
            cand -C 'Show N lines before and after every line range'
            cand --context 'Show N lines before and after every line range'
            cand -B 'Show N lines before every line range'
            cand --before-context 'Show N lines before every line range'
            cand -A 'Show N lines after every line range'
            cand --after-context 'Show N lines after every line range'
            cand --header 'Put the first N lines of the file before the slice, unless it holds them already (CSV)'
            cand --since 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m'
            cand --until 'Only records before the time T; +10m counts from --since'
            cand --tz 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]'
            cand --time-format 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S'''
            cand --slack 'How far records may be out of order [default: 10s]'
            cand --encode 'Write the exact bytes of any file, binary or not, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the encoding of the file [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines'
            cand --expect 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --hash 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
            cand --scan 'Look at every record, for files that are out of order'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --number 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --metadata-only 'Print the receipt without the content, to see how large it would be'
            cand --expect-prefix 'With --expect, accept a file to which text was appended'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;ranges'= {
            cand --from 'Take ranges from this file, or from standard input for -'
            cand --align 'What to do if a byte range would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]'
            cand --hash-width 'Write N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is computed and written'
            cand -C 'Show N lines before and after every line range'
            cand --context 'Show N lines before and after every line range'
            cand -B 'Show N lines before every line range'
            cand --before-context 'Show N lines before every line range'
            cand -A 'Show N lines after every line range'
            cand --after-context 'Show N lines after every line range'
            cand --header 'Put the first N lines of the file before the slice, unless it holds them already (CSV)'
            cand --encode 'Write the exact bytes of any file, binary or not, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the encoding of the file [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines'
            cand --expect 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --hash 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --number 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --metadata-only 'Print the receipt without the content, to see how large it would be'
            cand --expect-prefix 'With --expect, accept a file to which text was appended'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;search'= {
            cand -e 'Search for PATTERN; may be given several times'
            cand --regexp 'Search for PATTERN; may be given several times'
            cand -m 'Stop after N matching lines in each file'
            cand --max-count 'Stop after N matching lines in each file'
            cand --last 'Show the last N matching lines, searching from the end'
            cand --in 'Search only these lines, or bytes with the prefix b: 100:200 or -1000: or b0:1M'
            cand -C 'Show N lines before and after every match'
            cand --context 'Show N lines before and after every match'
            cand -B 'Show N lines before every match'
            cand --before-context 'Show N lines before every match'
            cand -A 'Show N lines after every match'
            cand --after-context 'Show N lines after every match'
            cand --since 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m'
            cand --until 'Only records before the time T; +10m counts from --since'
            cand --tz 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]'
            cand --time-format 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S'''
            cand --slack 'How far records may be out of order [default: 10s]'
            cand --hash-width 'Write N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is computed and written'
            cand --encode 'Write the exact bytes of any file, binary or not, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the encoding of the file [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines'
            cand --expect 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand -F 'Take PATTERN as a string, not as a regular expression'
            cand --fixed-strings 'Take PATTERN as a string, not as a regular expression'
            cand -i 'Ignore case'
            cand --ignore-case 'Ignore case'
            cand -S 'Ignore case unless PATTERN has an upper-case letter'
            cand --smart-case 'Ignore case unless PATTERN has an upper-case letter'
            cand -w 'Match whole words only'
            cand --word-regexp 'Match whole words only'
            cand -x 'Match whole lines only'
            cand --line-regexp 'Match whole lines only'
            cand -v 'Show the lines that do not match'
            cand --invert-match 'Show the lines that do not match'
            cand -c 'Show only the number of matching lines'
            cand --count 'Show only the number of matching lines'
            cand -l 'Show only the names of files with a match'
            cand --files-with-matches 'Show only the names of files with a match'
            cand --scan 'Look at every record, for files that are out of order'
            cand --hash 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --number 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --metadata-only 'Print the receipt without the content, to see how large it would be'
            cand --expect-prefix 'With --expect, accept a file to which text was appended'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;follow'= {
            cand -n 'Begin with the last N lines of each file'
            cand --lines 'Begin with the last N lines of each file'
            cand --until-match 'End after the first line that matches PATTERN, a regular expression; the lines of -n count too'
            cand --timeout 'End with exit code 1 if there is no match for DURATION, such as 60s; without --until-match, if nothing comes'
            cand --pid 'End when the process P ends, after what it wrote'
            cand --max-bytes 'End before the content exceeds N bytes [default: RREAD_MAX_BYTES]'
            cand --max-lines 'End after N lines'
            cand --poll 'Look for changes every DURATION, and do not wait for events'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;page'= {
            cand --page-size 'Bytes of a page; a line that does not fit begins the next page [default: 4000, or the page size of a capture]'
            cand --hash-width 'Write N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is computed and written'
            cand --encode 'Write the exact bytes of any file, binary or not, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the encoding of the file [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines'
            cand --expect 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --all 'Write every page, each with its receipt'
            cand --hash 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --number 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --metadata-only 'Print the receipt without the content, to see how large it would be'
            cand --expect-prefix 'With --expect, accept a file to which text was appended'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;stat'= {
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --count 'Scan the file for its exact lines, longest line, line ends and invalid text'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;where'= {
            cand --byte 'A byte offset, from 0, such as 1048576 or 1MiB; -N counts from the end; this, --line or --time is required'
            cand --line 'A line number, from 1; -N counts from the end; this, --byte or --time is required'
            cand --time 'A time, such as 06:01, 2026-11-23T06:01 or -15m: the first record at or after it'
            cand --tz 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]'
            cand --time-format 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S'''
            cand --slack 'How far records may be out of order [default: 10s]'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --scan 'Look at every record, for files that are out of order'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;verify'= {
            cand --from 'Take anchors from this file, or from standard input for -, one a line'
            cand -C 'Show N lines before and after the lines that changed'
            cand --context 'Show N lines before and after the lines that changed'
            cand --encode 'Write the exact bytes of any file, binary or not, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the encoding of the file [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines'
            cand --expect 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --number 'Number the lines, right-aligned to 6 digits and followed by →'
            cand --metadata-only 'Print the receipt without the content, to see how large it would be'
            cand --expect-prefix 'With --expect, accept a file to which text was appended'
            cand --no-index 'Neither use nor build a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture'= {
            cand --name 'Add the handle fd:NAME, and keep the output however short it is'
            cand --page-size 'Bytes of a page, at least 4 [default: 4000, or RREAD_MAX_BYTES if that is less]'
            cand --direct 'Print output of at most N bytes as it is, and keep it only with --name [default: 8000, or RREAD_MAX_BYTES if that is less]'
            cand --limit 'Keep the first SIZE bytes, and only count the rest'
            cand --max-bytes 'Show at most N bytes, also of a page; keep output of more bytes [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Show at most N lines; keep output of more lines'
            cand --max-columns 'Clip lines to N characters, and count the clipped lines; keep output with such lines'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --stdout-only 'Keep standard output only; standard error is not redirected'
            cand --always-zero 'Exit with 0 however CMD ended; its status is in the receipt'
            cand --exit-status 'No effect: rread always does this; older command lines may have it'
            cand --metadata-only 'Print only the receipt, and keep the output however short it is'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List the captures of this session, the oldest first'
            cand save 'Write a capture to a file'
            cand drop 'Remove captures: those named, all of this session, or the old ones'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;capture;list'= {
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture;save'= {
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --append 'Add to the end of the file, or create it'
            cand --force 'Replace the file, or create it'
            cand --no-create 'With --append or --force, write only to a file that exists'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture;drop'= {
            cand --older-than 'Remove captures older than this, such as 7d or 12h'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --all 'Remove all captures of this session'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture;help'= {
            cand list 'List the captures of this session, the oldest first'
            cand save 'Write a capture to a file'
            cand drop 'Remove captures: those named, all of this session, or the old ones'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;capture;help;list'= {
        }
        &'rread;capture;help;save'= {
        }
        &'rread;capture;help;drop'= {
        }
        &'rread;capture;help;help'= {
        }
        &'rread;image'= {
            cand --thumbnail 'Return a smaller picture that fits into N by N pixels'
            cand --max-bytes 'Return at most N bytes: the exact bytes if they fit, otherwise roughly the largest thumbnail that fits [default: RREAD_MAX_BYTES]'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --no-data 'Print the receipt without the data'
            cand --metadata-only 'Print the receipt without the data'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;select'= {
            cand --output 'Write the rows in this style'
            cand --input 'The kind of table [default: by content and name]'
            cand --delimiter 'The character between the values of a CSV, or tab [default: the one of , tab ; and | that its first lines have]'
            cand --quote 'The character around values of a CSV; '''' for none'
            cand --escape 'The character before a quote in a quoted value [default: a quote]'
            cand --comment 'Ignore lines of a CSV that begin with this character'
            cand --null 'Read this value of a CSV as NULL, like the empty one; may be given several times'
            cand --schema 'Types of columns, instead of those inferred from the first MiB: amount:float64,zip:utf8 or *:utf8'
            cand --offset 'Leave out the first N rows of the result'
            cand --max-rows 'Return at most N rows, and say how to go on'
            cand --max-lines 'Return at most N rows, and say how to go on'
            cand --max-bytes 'Return whole rows of at most N bytes, and say how to go on [default: RREAD_MAX_BYTES]'
            cand --memory 'Use at most SIZE of memory for sorting, grouping and joining'
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --no-header 'Read the first record of a CSV like the others, and call the columns _1, _2 and so on'
            cand --skip-bad 'Leave out and count records that have too few or too many values, or a value of another type'
            cand --metadata-only 'Print the receipt without the rows'
            cand --stream 'Read FILE as it comes, even if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand build 'Scan a file and keep its whole index'
            cand show 'Show what the index of a file covers, and whether it can be trusted'
            cand list 'List all indexes, the most recently used first'
            cand clear 'Remove indexes: those of the named files, all, or those not used for some time'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;index;build'= {
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;show'= {
            cand --timeout 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --anonymous 'Send no credentials, for public objects'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;list'= {
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;clear'= {
            cand --older-than 'Remove indexes not used for this time, such as 30d or 12h'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Colour metadata keys and line numbers'
            cand --all 'Remove all indexes'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the bytes of the file and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;help'= {
            cand build 'Scan a file and keep its whole index'
            cand show 'Show what the index of a file covers, and whether it can be trusted'
            cand list 'List all indexes, the most recently used first'
            cand clear 'Remove indexes: those of the named files, all, or those not used for some time'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;index;help;build'= {
        }
        &'rread;index;help;show'= {
        }
        &'rread;index;help;list'= {
        }
        &'rread;index;help;clear'= {
        }
        &'rread;index;help;help'= {
        }
        &'rread;mcp'= {
            cand --root 'Directory that clients may read; may be given several times [default: the working directory]'
            cand --allow-capture 'Offer the tool capture, which runs any command, and read captures (fd:N)'
            cand --allow-remote 'Read objects and web pages by their URLs, with the credentials of the environment'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;help'= {
            cand bytes 'Read byte ranges, cut at character edges'
            cand lines 'Read line ranges by number, from the front or from the end'
            cand ranges 'Read many ranges of lines and bytes in one pass'
            cand search 'Show the lines that match a pattern, in files of any kind and size'
            cand follow 'Print the last lines of files, and what is appended to them, as it comes'
            cand page 'Read a file page by page, at the same cost for any page of any file'
            cand stat 'Report what a file is, without reading it all'
            cand where 'Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line'
            cand verify 'Report which lines have changed since they were read with --hash'
            cand capture 'Keep the output of a command, or standard input, and read it in parts by its handle'
            cand image 'Report format, size and mode of a picture, and return its bytes as a data URI'
            cand select 'Run an SQL query on the table in a file'
            cand index 'Build, show, list and clear line indexes'
            cand mcp 'Serve the tools for agents over the Model Context Protocol, on standard input and output'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;help;bytes'= {
        }
        &'rread;help;lines'= {
        }
        &'rread;help;ranges'= {
        }
        &'rread;help;search'= {
        }
        &'rread;help;follow'= {
        }
        &'rread;help;page'= {
        }
        &'rread;help;stat'= {
        }
        &'rread;help;where'= {
        }
        &'rread;help;verify'= {
        }
        &'rread;help;capture'= {
            cand list 'List the captures of this session, the oldest first'
            cand save 'Write a capture to a file'
            cand drop 'Remove captures: those named, all of this session, or the old ones'
        }
        &'rread;help;capture;list'= {
        }
        &'rread;help;capture;save'= {
        }
        &'rread;help;capture;drop'= {
        }
        &'rread;help;image'= {
        }
        &'rread;help;select'= {
        }
        &'rread;help;index'= {
            cand build 'Scan a file and keep its whole index'
            cand show 'Show what the index of a file covers, and whether it can be trusted'
            cand list 'List all indexes, the most recently used first'
            cand clear 'Remove indexes: those of the named files, all, or those not used for some time'
        }
        &'rread;help;index;build'= {
        }
        &'rread;help;index;show'= {
        }
        &'rread;help;index;list'= {
        }
        &'rread;help;index;clear'= {
        }
        &'rread;help;mcp'= {
        }
        &'rread;help;help'= {
        }
    ]
    $completions[$command]
}
