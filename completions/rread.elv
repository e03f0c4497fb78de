
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
            cand --schema 'Print the JSON Schema of every answer and of errors, or the subcommands as tools for function calling'
            cand --generate 'Print a man page or a shell completion'
            cand --help-agent 'Print a guide for agents: what to call for what, how to read answers and how to go on'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand bytes 'Read byte ranges, cut at character edges'
            cand lines 'Read line ranges by number, from the front or from the end'
            cand ranges 'Read many ranges of lines and bytes in one pass'
            cand page 'Read a file page by page, at the same cost for any page of any file'
            cand stat 'Say what a file is, without reading it all'
            cand where 'Say where a byte or a line is: byte to line and column, line to bytes'
            cand verify 'Report which lines have changed since they were read with --hash'
            cand capture 'Keep what a command puts out, or standard input, and read it in parts by its handle'
            cand image 'Say what a picture is, and give its bytes as a data URI'
            cand select 'Answer a question in SQL about the table in a file'
            cand index 'Make, show, list and clear line indexes'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;bytes'= {
            cand --start-byte 'First byte, from 0; -N counts from the end'
            cand --end-byte 'Byte to stop before; -N counts from the end'
            cand --align 'What to do with a cut that would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]'
            cand --encode 'Give the exact bytes of any file, binary ones too, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the file''s encoding [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes, at a line end if a whole line fits, else at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count those that were longer'
            cand --expect 'Refuse, with exit code 7, unless the file is in the state that an earlier answer called VERSION'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines: right-aligned to 6, then →'
            cand --number 'Number the lines: right-aligned to 6, then →'
            cand --metadata-only 'Give the receipt without the content: what would this cost?'
            cand --expect-prefix 'With --expect: a file that has only been appended to is fine'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;lines'= {
            cand --offset 'First line, from 1; -N counts from the end'
            cand --limit 'How many lines'
            cand --hash-width 'Give N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is made and written'
            cand -C 'Show N lines before and after every line range'
            cand --context 'Show N lines before and after every line range'
            cand -B 'Show N lines before every line range'
            cand --before-context 'Show N lines before every line range'
            cand -A 'Show N lines after every line range'
            cand --after-context 'Show N lines after every line range'
            cand --header 'Put the file''s first N lines before the slice, unless it holds them already (CSV)'
            cand --encode 'Give the exact bytes of any file, binary ones too, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the file''s encoding [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes, at a line end if a whole line fits, else at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count those that were longer'
            cand --expect 'Refuse, with exit code 7, unless the file is in the state that an earlier answer called VERSION'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --hash 'Number the lines and give the hash of each: N#hhhhhh|text, for verify to tell later what has changed'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines: right-aligned to 6, then →'
            cand --number 'Number the lines: right-aligned to 6, then →'
            cand --metadata-only 'Give the receipt without the content: what would this cost?'
            cand --expect-prefix 'With --expect: a file that has only been appended to is fine'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;ranges'= {
            cand --from 'Take ranges from this file, or from standard input for -'
            cand --align 'What to do with a byte cut that would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]'
            cand --hash-width 'Give N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is made and written'
            cand -C 'Show N lines before and after every line range'
            cand --context 'Show N lines before and after every line range'
            cand -B 'Show N lines before every line range'
            cand --before-context 'Show N lines before every line range'
            cand -A 'Show N lines after every line range'
            cand --after-context 'Show N lines after every line range'
            cand --header 'Put the file''s first N lines before the slice, unless it holds them already (CSV)'
            cand --encode 'Give the exact bytes of any file, binary ones too, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the file''s encoding [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes, at a line end if a whole line fits, else at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count those that were longer'
            cand --expect 'Refuse, with exit code 7, unless the file is in the state that an earlier answer called VERSION'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --hash 'Number the lines and give the hash of each: N#hhhhhh|text, for verify to tell later what has changed'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines: right-aligned to 6, then →'
            cand --number 'Number the lines: right-aligned to 6, then →'
            cand --metadata-only 'Give the receipt without the content: what would this cost?'
            cand --expect-prefix 'With --expect: a file that has only been appended to is fine'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;page'= {
            cand --page-size 'Bytes of a page, of which the last, unfinished line is left to the next page [default: 4000, or as a capture was taken]'
            cand --hash-width 'Give N digits of the hash, 4 to 8 [default: 6]'
            cand --hash-style 'How the hash is made and written'
            cand --encode 'Give the exact bytes of any file, binary ones too, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the file''s encoding [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes, at a line end if a whole line fits, else at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count those that were longer'
            cand --expect 'Refuse, with exit code 7, unless the file is in the state that an earlier answer called VERSION'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --all 'Give every page, each with its receipt'
            cand --hash 'Number the lines and give the hash of each: N#hhhhhh|text, for verify to tell later what has changed'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines: right-aligned to 6, then →'
            cand --number 'Number the lines: right-aligned to 6, then →'
            cand --metadata-only 'Give the receipt without the content: what would this cost?'
            cand --expect-prefix 'With --expect: a file that has only been appended to is fine'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;stat'= {
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --count 'Scan the file: exact lines, longest line, line ends and invalid text'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;where'= {
            cand --byte 'A byte offset, from 0, such as 1048576 or 1MiB; -N counts from the end. This or --line has to be given'
            cand --line 'A line number, from 1; -N counts from the end. This or --byte has to be given'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;verify'= {
            cand --from 'Take anchors from this file, or from standard input for -, one a line'
            cand -C 'Show N lines before and after the lines that have changed'
            cand --context 'Show N lines before and after the lines that have changed'
            cand --encode 'Give the exact bytes of any file, binary ones too, in this encoding'
            cand --invalid 'What to do with bytes that are not valid in the file''s encoding [default: replace]'
            cand --max-bytes 'Stop before the content exceeds N bytes, at a line end if a whole line fits, else at a character [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Stop after N lines'
            cand --max-columns 'Clip lines to N characters, and count those that were longer'
            cand --expect 'Refuse, with exit code 7, unless the file is in the state that an earlier answer called VERSION'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand -a 'Read a binary file as if it were text'
            cand --text 'Read a binary file as if it were text'
            cand -n 'Number the lines: right-aligned to 6, then →'
            cand --number 'Number the lines: right-aligned to 6, then →'
            cand --metadata-only 'Give the receipt without the content: what would this cost?'
            cand --expect-prefix 'With --expect: a file that has only been appended to is fine'
            cand --no-index 'Neither use nor keep a line index of the file [default: RREAD_INDEX]'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture'= {
            cand --name 'Call it NAME as well, and keep it however short it is'
            cand --page-size 'Bytes of a page, at least 4 [default: 4000, or RREAD_MAX_BYTES if that is less]'
            cand --direct 'Print output of at most N bytes as it is; without --name it is not kept [default: 8000, or RREAD_MAX_BYTES if that is less]'
            cand --limit 'Keep the first SIZE bytes; what comes behind them is counted'
            cand --max-bytes 'Show at most N bytes; a page is no larger then, and more output than that is kept [default: RREAD_MAX_BYTES]'
            cand --max-lines 'Show at most N lines; output of more lines is kept'
            cand --max-columns 'Clip lines to N characters, and count those that were longer; output with such lines is kept'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --stdout-only 'Take standard output only; standard error goes where it would go'
            cand --always-zero 'Exit with 0 however CMD ended; its status is in the receipt'
            cand --exit-status 'What rread does without it, too: taken so that older command lines go on working'
            cand --metadata-only 'Show nothing but the receipt; the output is kept, however small'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List the captures of this session, the oldest first'
            cand save 'Write a capture to a file'
            cand drop 'Remove captures: those named, all of this session, or those that are old'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;capture;list'= {
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture;save'= {
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --append 'Write behind the end of the file, or make it'
            cand --force 'Replace the file, or make it'
            cand --no-create 'With --append or --force: only if the file is there'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture;drop'= {
            cand --older-than 'Remove those taken longer ago, such as 7d or 12h'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --all 'Remove all captures of this session'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;capture;help'= {
            cand list 'List the captures of this session, the oldest first'
            cand save 'Write a capture to a file'
            cand drop 'Remove captures: those named, all of this session, or those that are old'
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
            cand --thumbnail 'Give a smaller picture that fits into N by N pixels'
            cand --max-bytes 'Keep the content within N bytes: if the exact bytes do not fit, give the largest thumbnail that does, near enough [default: RREAD_MAX_BYTES]'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --no-data 'Give the facts without the data'
            cand --metadata-only 'Give the facts without the data'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;select'= {
            cand --output 'Write the rows in this style'
            cand --input 'What kind of table it is [default: by content and name]'
            cand --delimiter 'The character between values of a CSV, or tab [default: what its first lines have, of , tab ; and |]'
            cand --quote 'The character around values of a CSV; '''' for none'
            cand --escape 'The character before a quote in a quoted value [default: a quote]'
            cand --comment 'Lines of a CSV that begin with this character are no records'
            cand --null 'A value of a CSV that stands for NULL, as the empty one does; may be given several times'
            cand --schema 'Types of columns, instead of what the first MiB looks like: amount:float64,zip:utf8 or *:utf8'
            cand --offset 'Leave out the first N rows of the result'
            cand --max-rows 'Give at most N rows, and say how to go on'
            cand --max-lines 'Give at most N rows, and say how to go on'
            cand --max-bytes 'Give at most N bytes of whole rows, and say how to go on [default: RREAD_MAX_BYTES]'
            cand --memory 'Hold at most SIZE in memory for sorting, grouping and joining'
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --no-header 'The first record of a CSV is one like the others; columns are called _1, _2 and so on'
            cand --skip-bad 'Leave out records that have too few or too many values, or one that is not of its column''s type, and count them'
            cand --metadata-only 'Give the envelope without the rows'
            cand --stream 'Read FILE as it comes, also if it is a named pipe or a character device'
            cand --salvage 'Read a damaged compressed file as if it ended where the damage begins'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand build 'Scan a file and keep its whole index'
            cand show 'Show what the index of a file covers, and whether it can be believed'
            cand list 'List all indexes, the last used first'
            cand clear 'Remove indexes: of the files named, all, or those not used for some time'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;index;build'= {
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;show'= {
            cand --timeout 'Give up when nothing has come from a stream or a server for DURATION, such as 5s, 500ms or 5'
            cand --retries 'Ask a server up to N times more when it is busy, or the connection breaks [default: 4]'
            cand -E 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand --encoding 'The encoding of the file: auto, guess or a label such as utf-16le, windows-1252, shift_jis [default: auto]'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --anonymous 'Ask object stores without credentials, for what is open to everybody'
            cand --no-decompress 'Read the bytes of a compressed file as they are'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;list'= {
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;clear'= {
            cand --older-than 'Remove those not used for so long, such as 30d or 12h'
            cand -f 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --format 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]'
            cand --color 'Paint metadata keys and line numbers'
            cand --all 'Remove all indexes'
            cand --json 'Short for --format json'
            cand --raw 'Short for --format raw: the file''s own bytes and nothing else'
            cand --xml 'Short for --format xml'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'rread;index;help'= {
            cand build 'Scan a file and keep its whole index'
            cand show 'Show what the index of a file covers, and whether it can be believed'
            cand list 'List all indexes, the last used first'
            cand clear 'Remove indexes: of the files named, all, or those not used for some time'
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
        &'rread;help'= {
            cand bytes 'Read byte ranges, cut at character edges'
            cand lines 'Read line ranges by number, from the front or from the end'
            cand ranges 'Read many ranges of lines and bytes in one pass'
            cand page 'Read a file page by page, at the same cost for any page of any file'
            cand stat 'Say what a file is, without reading it all'
            cand where 'Say where a byte or a line is: byte to line and column, line to bytes'
            cand verify 'Report which lines have changed since they were read with --hash'
            cand capture 'Keep what a command puts out, or standard input, and read it in parts by its handle'
            cand image 'Say what a picture is, and give its bytes as a data URI'
            cand select 'Answer a question in SQL about the table in a file'
            cand index 'Make, show, list and clear line indexes'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'rread;help;bytes'= {
        }
        &'rread;help;lines'= {
        }
        &'rread;help;ranges'= {
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
            cand drop 'Remove captures: those named, all of this session, or those that are old'
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
            cand show 'Show what the index of a file covers, and whether it can be believed'
            cand list 'List all indexes, the last used first'
            cand clear 'Remove indexes: of the files named, all, or those not used for some time'
        }
        &'rread;help;index;build'= {
        }
        &'rread;help;index;show'= {
        }
        &'rread;help;index;list'= {
        }
        &'rread;help;index;clear'= {
        }
        &'rread;help;help'= {
        }
    ]
    $completions[$command]
}
