
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'rread' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'rread'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'rread' {
            [CompletionResult]::new('--schema', '--schema', [CompletionResultType]::ParameterName, 'Print the JSON Schema of every answer and of errors, or the tools for agents in the form of function calling')
            [CompletionResult]::new('--generate', '--generate', [CompletionResultType]::ParameterName, 'Print a man page or a shell completion')
            [CompletionResult]::new('--help-agent', '--help-agent', [CompletionResultType]::ParameterName, 'Print a guide for agents: which command to call, how to read a receipt and how to go on')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('bytes', 'bytes', [CompletionResultType]::ParameterValue, 'Read byte ranges, cut at character edges')
            [CompletionResult]::new('lines', 'lines', [CompletionResultType]::ParameterValue, 'Read line ranges by number, from the front or from the end')
            [CompletionResult]::new('ranges', 'ranges', [CompletionResultType]::ParameterValue, 'Read many ranges of lines and bytes in one pass')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Show the lines that match a pattern, in files of any kind and size')
            [CompletionResult]::new('follow', 'follow', [CompletionResultType]::ParameterValue, 'Print the last lines of files, and what is appended to them, as it comes')
            [CompletionResult]::new('page', 'page', [CompletionResultType]::ParameterValue, 'Read a file page by page, at the same cost for any page of any file')
            [CompletionResult]::new('stat', 'stat', [CompletionResultType]::ParameterValue, 'Report what a file is, without reading it all')
            [CompletionResult]::new('where', 'where', [CompletionResultType]::ParameterValue, 'Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Report which lines have changed since they were read with --hash')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Keep the output of a command, or standard input, and read it in parts by its handle')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Report format, size and mode of a picture, and return its bytes as a data URI')
            [CompletionResult]::new('select', 'select', [CompletionResultType]::ParameterValue, 'Run an SQL query on the table in a file')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Build, show, list and clear line indexes')
            [CompletionResult]::new('view', 'view', [CompletionResultType]::ParameterValue, 'Look at a file of any size full-screen, with the keys of less')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Report what this build has, where it keeps files, and what it would use for a URL')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool for agents once, without a server')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Serve the tools for agents over the Model Context Protocol, on standard input and output')
            [CompletionResult]::new('worker', 'worker', [CompletionResultType]::ParameterValue, 'Do parts of the queries that rread select --workers sends from other machines')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'rread;bytes' {
            [CompletionResult]::new('--start-byte', '--start-byte', [CompletionResultType]::ParameterName, 'First byte, from 0; -N counts from the end')
            [CompletionResult]::new('--end-byte', '--end-byte', [CompletionResultType]::ParameterName, 'Byte to stop before; -N counts from the end')
            [CompletionResult]::new('--align', '--align', [CompletionResultType]::ParameterName, 'What to do if a range would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]')
            [CompletionResult]::new('--encode', '--encode', [CompletionResultType]::ParameterName, 'Write the exact bytes of any file, binary or not, in this encoding')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'What to do with bytes that are not valid in the encoding of the file [default: replace]')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Stop before the content exceeds about N tokens, as --max-bytes stops')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after N lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--bounded', '--bounded', [CompletionResultType]::ParameterName, 'Report as next only the rest of the ranges that a budget cut off, and nothing after them')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the content, to see how large it would be')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--expect-prefix', '--expect-prefix', [CompletionResultType]::ParameterName, 'With --expect, accept a file to which text was appended')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;lines' {
            [CompletionResult]::new('--offset', '--offset', [CompletionResultType]::ParameterName, 'First line, from 1; -N counts from the end')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Number of lines')
            [CompletionResult]::new('--hash-width', '--hash-width', [CompletionResultType]::ParameterName, 'Write N digits of the hash, 4 to 8 [default: 6]')
            [CompletionResult]::new('--hash-style', '--hash-style', [CompletionResultType]::ParameterName, 'How the hash is computed and written')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Show N lines before and after every line range')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show N lines before and after every line range')
            [CompletionResult]::new('-B', '-B ', [CompletionResultType]::ParameterName, 'Show N lines before every line range')
            [CompletionResult]::new('--before-context', '--before-context', [CompletionResultType]::ParameterName, 'Show N lines before every line range')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Show N lines after every line range')
            [CompletionResult]::new('--after-context', '--after-context', [CompletionResultType]::ParameterName, 'Show N lines after every line range')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Put the first N lines of the file before the slice, unless it holds them already (CSV)')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Only records before the time T; +10m counts from --since')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--encode', '--encode', [CompletionResultType]::ParameterName, 'Write the exact bytes of any file, binary or not, in this encoding')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'What to do with bytes that are not valid in the encoding of the file [default: replace]')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Stop before the content exceeds about N tokens, as --max-bytes stops')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after N lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--highlight', '--highlight', [CompletionResultType]::ParameterName, 'Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--hash', '--hash', [CompletionResultType]::ParameterName, 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Merge the records of all files: in the order of their times, then of the files')
            [CompletionResult]::new('--no-path', '--no-path', [CompletionResultType]::ParameterName, 'With --merge, write no path and no number before lines')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the content, to see how large it would be')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--expect-prefix', '--expect-prefix', [CompletionResultType]::ParameterName, 'With --expect, accept a file to which text was appended')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;ranges' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take ranges from this file, or from standard input for -')
            [CompletionResult]::new('--align', '--align', [CompletionResultType]::ParameterName, 'What to do if a byte range would split a character: take it in, leave it out, or cut it [default: expand; with --raw none]')
            [CompletionResult]::new('--hash-width', '--hash-width', [CompletionResultType]::ParameterName, 'Write N digits of the hash, 4 to 8 [default: 6]')
            [CompletionResult]::new('--hash-style', '--hash-style', [CompletionResultType]::ParameterName, 'How the hash is computed and written')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Show N lines before and after every line range')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show N lines before and after every line range')
            [CompletionResult]::new('-B', '-B ', [CompletionResultType]::ParameterName, 'Show N lines before every line range')
            [CompletionResult]::new('--before-context', '--before-context', [CompletionResultType]::ParameterName, 'Show N lines before every line range')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Show N lines after every line range')
            [CompletionResult]::new('--after-context', '--after-context', [CompletionResultType]::ParameterName, 'Show N lines after every line range')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Put the first N lines of the file before the slice, unless it holds them already (CSV)')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--encode', '--encode', [CompletionResultType]::ParameterName, 'Write the exact bytes of any file, binary or not, in this encoding')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'What to do with bytes that are not valid in the encoding of the file [default: replace]')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Stop before the content exceeds about N tokens, as --max-bytes stops')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after N lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--highlight', '--highlight', [CompletionResultType]::ParameterName, 'Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--hash', '--hash', [CompletionResultType]::ParameterName, 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Merge the records of all files: in the order of their times, then of the files')
            [CompletionResult]::new('--no-path', '--no-path', [CompletionResultType]::ParameterName, 'With --merge, write no path and no number before lines')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the content, to see how large it would be')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--expect-prefix', '--expect-prefix', [CompletionResultType]::ParameterName, 'With --expect, accept a file to which text was appended')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;search' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Search for PATTERN; may be given several times')
            [CompletionResult]::new('--regexp', '--regexp', [CompletionResultType]::ParameterName, 'Search for PATTERN; may be given several times')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Search for the patterns in the file PATTERNS, one a line; - is standard input')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'Stop after N matching lines in each file')
            [CompletionResult]::new('--max-count', '--max-count', [CompletionResultType]::ParameterName, 'Stop after N matching lines in each file')
            [CompletionResult]::new('--last', '--last', [CompletionResultType]::ParameterName, 'Show the last N matching lines, searching from the end; with --merge, of all files')
            [CompletionResult]::new('--in', '--in', [CompletionResultType]::ParameterName, 'Search only these lines, or bytes with the prefix b: 100:200 or -1000: or b0:1M')
            [CompletionResult]::new('--unit', '--unit', [CompletionResultType]::ParameterName, 'Match, count and show whole records or blocks in place of lines')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Show N lines before and after every match')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show N lines before and after every match')
            [CompletionResult]::new('-B', '-B ', [CompletionResultType]::ParameterName, 'Show N lines before every match')
            [CompletionResult]::new('--before-context', '--before-context', [CompletionResultType]::ParameterName, 'Show N lines before every match')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Show N lines after every match')
            [CompletionResult]::new('--after-context', '--after-context', [CompletionResultType]::ParameterName, 'Show N lines after every match')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Show TEXT in place of each match; $1 and $name are groups of the pattern')
            [CompletionResult]::new('--replace', '--replace', [CompletionResultType]::ParameterName, 'Show TEXT in place of each match; $1 and $name are groups of the pattern')
            [CompletionResult]::new('--context-separator', '--context-separator', [CompletionResultType]::ParameterName, 'Write SEPARATOR between groups of lines [default: --]')
            [CompletionResult]::new('--field-match-separator', '--field-match-separator', [CompletionResultType]::ParameterName, 'Write SEPARATOR after names and numbers of lines that match [default: :]')
            [CompletionResult]::new('--field-context-separator', '--field-context-separator', [CompletionResultType]::ParameterName, 'Write SEPARATOR after names and numbers of lines of context [default: -]')
            [CompletionResult]::new('-M', '-M ', [CompletionResultType]::ParameterName, '--max-columns')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Search only files whose path matches GLOB, or with ! before GLOB, only others; the last one that matches decides')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Search only files whose path matches GLOB, or with ! before GLOB, only others; the last one that matches decides')
            [CompletionResult]::new('--iglob', '--iglob', [CompletionResultType]::ParameterName, 'The same without regard to upper and lower case')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Search only files of this type: rust, py, json; --type-list shows all')
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Search only files of this type: rust, py, json; --type-list shows all')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'Search no files of this type')
            [CompletionResult]::new('--type-not', '--type-not', [CompletionResultType]::ParameterName, 'Search no files of this type')
            [CompletionResult]::new('--type-add', '--type-add', [CompletionResultType]::ParameterName, 'Add a glob to a type: web:*.html')
            [CompletionResult]::new('--type-clear', '--type-clear', [CompletionResultType]::ParameterName, 'Forget the globs of a type')
            [CompletionResult]::new('--ignore-file', '--ignore-file', [CompletionResultType]::ParameterName, 'Leave out the files that FILE names, as .gitignore does')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Search at most N levels of directories')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Search at most N levels of directories')
            [CompletionResult]::new('--max-filesize', '--max-filesize', [CompletionResultType]::ParameterName, 'Search only files of at most SIZE bytes: 10M')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'The order of the files [default: path]')
            [CompletionResult]::new('--sortr', '--sortr', [CompletionResultType]::ParameterName, 'The same, the last file first')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'j')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'threads')
            [CompletionResult]::new('--dfa-size-limit', '--dfa-size-limit', [CompletionResultType]::ParameterName, 'dfa-size-limit')
            [CompletionResult]::new('--engine', '--engine', [CompletionResultType]::ParameterName, 'engine')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Only records before the time T; +10m counts from --since')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--hash-width', '--hash-width', [CompletionResultType]::ParameterName, 'Write N digits of the hash, 4 to 8 [default: 6]')
            [CompletionResult]::new('--hash-style', '--hash-style', [CompletionResultType]::ParameterName, 'How the hash is computed and written')
            [CompletionResult]::new('--encode', '--encode', [CompletionResultType]::ParameterName, 'Write the exact bytes of any file, binary or not, in this encoding')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'What to do with bytes that are not valid in the encoding of the file [default: replace]')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Stop before the content exceeds about N tokens, as --max-bytes stops')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after N lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('-F', '-F ', [CompletionResultType]::ParameterName, 'Take PATTERN as a string, not as a regular expression')
            [CompletionResult]::new('--fixed-strings', '--fixed-strings', [CompletionResultType]::ParameterName, 'Take PATTERN as a string, not as a regular expression')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Ignore case')
            [CompletionResult]::new('--ignore-case', '--ignore-case', [CompletionResultType]::ParameterName, 'Ignore case')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Ignore case unless PATTERN has an upper-case letter')
            [CompletionResult]::new('--smart-case', '--smart-case', [CompletionResultType]::ParameterName, 'Ignore case unless PATTERN has an upper-case letter')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Match whole words only')
            [CompletionResult]::new('--word-regexp', '--word-regexp', [CompletionResultType]::ParameterName, 'Match whole words only')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Match whole lines only')
            [CompletionResult]::new('--line-regexp', '--line-regexp', [CompletionResultType]::ParameterName, 'Match whole lines only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show the lines that do not match')
            [CompletionResult]::new('--invert-match', '--invert-match', [CompletionResultType]::ParameterName, 'Show the lines that do not match')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'Find matches of several lines; their lines are shown')
            [CompletionResult]::new('--multiline', '--multiline', [CompletionResultType]::ParameterName, 'Find matches of several lines; their lines are shown')
            [CompletionResult]::new('--multiline-dotall', '--multiline-dotall', [CompletionResultType]::ParameterName, 'With -U, a dot matches a newline too')
            [CompletionResult]::new('--no-unicode', '--no-unicode', [CompletionResultType]::ParameterName, 'Take \w, \d and the like as those of ASCII')
            [CompletionResult]::new('--enclosing', '--enclosing', [CompletionResultType]::ParameterName, 'Show the lines that enclose each match above it: the function, the class, the section')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Search archives below directories, member by member')
            [CompletionResult]::new('--search-zip', '--search-zip', [CompletionResultType]::ParameterName, 'Search archives below directories, member by member')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Show only the number of matching lines; with -o or -U, of matches')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Show only the number of matching lines; with -o or -U, of matches')
            [CompletionResult]::new('--count-matches', '--count-matches', [CompletionResultType]::ParameterName, 'Show only the number of matches')
            [CompletionResult]::new('--include-zero', '--include-zero', [CompletionResultType]::ParameterName, 'With -c or --count-matches, show files without a match too')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Show only the names of files with a match')
            [CompletionResult]::new('--files-with-matches', '--files-with-matches', [CompletionResultType]::ParameterName, 'Show only the names of files with a match')
            [CompletionResult]::new('--files-without-match', '--files-without-match', [CompletionResultType]::ParameterName, 'Show only the names of files without a match')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show nothing; the exit code says whether a line matches')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show nothing; the exit code says whether a line matches')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'End names of files with a NUL, for xargs -0; with --raw or -f text')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'End names of files with a NUL, for xargs -0; with --raw or -f text')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Show only the matches, one a line; with --max-columns, with as much of the line around each')
            [CompletionResult]::new('--only-matching', '--only-matching', [CompletionResultType]::ParameterName, 'Show only the matches, one a line; with --max-columns, with as much of the line around each')
            [CompletionResult]::new('--passthru', '--passthru', [CompletionResultType]::ParameterName, 'Show all lines, those without a match as context')
            [CompletionResult]::new('--trim', '--trim', [CompletionResultType]::ParameterName, 'Leave out white space at the beginning of lines')
            [CompletionResult]::new('-N', '-N ', [CompletionResultType]::ParameterName, 'Show no line numbers')
            [CompletionResult]::new('--no-line-number', '--no-line-number', [CompletionResultType]::ParameterName, 'Show no line numbers')
            [CompletionResult]::new('--column', '--column', [CompletionResultType]::ParameterName, 'Put the place of the first match in the line, in bytes from 1, after the line number')
            [CompletionResult]::new('--no-column', '--no-column', [CompletionResultType]::ParameterName, 'no-column')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Put the offset of the line, or with -o of the match, after the line number')
            [CompletionResult]::new('--byte-offset', '--byte-offset', [CompletionResultType]::ParameterName, 'Put the offset of the line, or with -o of the match, after the line number')
            [CompletionResult]::new('--vimgrep', '--vimgrep', [CompletionResultType]::ParameterName, 'Show the line once for each match, with name, line and column')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'Put the name of the file before lines, in text; the default if there are several files')
            [CompletionResult]::new('--with-filename', '--with-filename', [CompletionResultType]::ParameterName, 'Put the name of the file before lines, in text; the default if there are several files')
            [CompletionResult]::new('-I', '-I ', [CompletionResultType]::ParameterName, 'Put no name before lines')
            [CompletionResult]::new('--no-filename', '--no-filename', [CompletionResultType]::ParameterName, 'Put no name before lines')
            [CompletionResult]::new('--heading', '--heading', [CompletionResultType]::ParameterName, 'Show the name of the file once, above its lines, in text')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Colours, and in text names above lines')
            [CompletionResult]::new('--pretty', '--pretty', [CompletionResultType]::ParameterName, 'Colours, and in text names above lines')
            [CompletionResult]::new('--no-context-separator', '--no-context-separator', [CompletionResultType]::ParameterName, 'Write nothing between groups of lines')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'End raw and text with the sums over all files; the other formats have them in the receipt')
            [CompletionResult]::new('--type-list', '--type-list', [CompletionResultType]::ParameterName, 'Show the types of files and their globs')
            [CompletionResult]::new('--files', '--files', [CompletionResultType]::ParameterName, 'Show the files that would be searched, without a PATTERN')
            [CompletionResult]::new('-.', '-.', [CompletionResultType]::ParameterName, 'Search hidden files and directories too')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Search hidden files and directories too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Search files too that .gitignore, .ignore and .rgignore name')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Once: --no-ignore; twice: also --hidden; three times: also --binary')
            [CompletionResult]::new('--unrestricted', '--unrestricted', [CompletionResultType]::ParameterName, 'Once: --no-ignore; twice: also --hidden; three times: also --binary')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'Search binary files too, as text')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links')
            [CompletionResult]::new('--one-file-system', '--one-file-system', [CompletionResultType]::ParameterName, 'Stay on the file system of the directory')
            [CompletionResult]::new('--no-messages', '--no-messages', [CompletionResultType]::ParameterName, 'Do not report files and directories that cannot be read')
            [CompletionResult]::new('--no-hidden', '--no-hidden', [CompletionResultType]::ParameterName, 'no-hidden')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'ignore')
            [CompletionResult]::new('--ignore-vcs', '--ignore-vcs', [CompletionResultType]::ParameterName, 'ignore-vcs')
            [CompletionResult]::new('--ignore-dot', '--ignore-dot', [CompletionResultType]::ParameterName, 'ignore-dot')
            [CompletionResult]::new('--ignore-exclude', '--ignore-exclude', [CompletionResultType]::ParameterName, 'ignore-exclude')
            [CompletionResult]::new('--ignore-global', '--ignore-global', [CompletionResultType]::ParameterName, 'ignore-global')
            [CompletionResult]::new('--ignore-parent', '--ignore-parent', [CompletionResultType]::ParameterName, 'ignore-parent')
            [CompletionResult]::new('--ignore-files', '--ignore-files', [CompletionResultType]::ParameterName, 'ignore-files')
            [CompletionResult]::new('--require-git', '--require-git', [CompletionResultType]::ParameterName, 'require-git')
            [CompletionResult]::new('--no-ignore-file-case-insensitive', '--no-ignore-file-case-insensitive', [CompletionResultType]::ParameterName, 'no-ignore-file-case-insensitive')
            [CompletionResult]::new('--no-glob-case-insensitive', '--no-glob-case-insensitive', [CompletionResultType]::ParameterName, 'no-glob-case-insensitive')
            [CompletionResult]::new('--no-follow', '--no-follow', [CompletionResultType]::ParameterName, 'no-follow')
            [CompletionResult]::new('--no-one-file-system', '--no-one-file-system', [CompletionResultType]::ParameterName, 'no-one-file-system')
            [CompletionResult]::new('--no-binary', '--no-binary', [CompletionResultType]::ParameterName, 'no-binary')
            [CompletionResult]::new('--sort-files', '--sort-files', [CompletionResultType]::ParameterName, 'sort-files')
            [CompletionResult]::new('--no-sort-files', '--no-sort-files', [CompletionResultType]::ParameterName, 'no-sort-files')
            [CompletionResult]::new('--messages', '--messages', [CompletionResultType]::ParameterName, 'messages')
            [CompletionResult]::new('--no-fixed-strings', '--no-fixed-strings', [CompletionResultType]::ParameterName, 'no-fixed-strings')
            [CompletionResult]::new('--no-invert-match', '--no-invert-match', [CompletionResultType]::ParameterName, 'no-invert-match')
            [CompletionResult]::new('--no-text', '--no-text', [CompletionResultType]::ParameterName, 'no-text')
            [CompletionResult]::new('--no-multiline', '--no-multiline', [CompletionResultType]::ParameterName, 'no-multiline')
            [CompletionResult]::new('--no-multiline-dotall', '--no-multiline-dotall', [CompletionResultType]::ParameterName, 'no-multiline-dotall')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'unicode')
            [CompletionResult]::new('--line-number', '--line-number', [CompletionResultType]::ParameterName, 'line-number')
            [CompletionResult]::new('--no-trim', '--no-trim', [CompletionResultType]::ParameterName, 'no-trim')
            [CompletionResult]::new('--no-byte-offset', '--no-byte-offset', [CompletionResultType]::ParameterName, 'no-byte-offset')
            [CompletionResult]::new('--no-heading', '--no-heading', [CompletionResultType]::ParameterName, 'no-heading')
            [CompletionResult]::new('--no-include-zero', '--no-include-zero', [CompletionResultType]::ParameterName, 'no-include-zero')
            [CompletionResult]::new('--no-stats', '--no-stats', [CompletionResultType]::ParameterName, 'no-stats')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'mmap')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'no-mmap')
            [CompletionResult]::new('--line-buffered', '--line-buffered', [CompletionResultType]::ParameterName, 'line-buffered')
            [CompletionResult]::new('--no-line-buffered', '--no-line-buffered', [CompletionResultType]::ParameterName, 'no-line-buffered')
            [CompletionResult]::new('--block-buffered', '--block-buffered', [CompletionResultType]::ParameterName, 'block-buffered')
            [CompletionResult]::new('--no-block-buffered', '--no-block-buffered', [CompletionResultType]::ParameterName, 'no-block-buffered')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'no-config')
            [CompletionResult]::new('--crlf', '--crlf', [CompletionResultType]::ParameterName, 'crlf')
            [CompletionResult]::new('--no-crlf', '--no-crlf', [CompletionResultType]::ParameterName, 'no-crlf')
            [CompletionResult]::new('--max-columns-preview', '--max-columns-preview', [CompletionResultType]::ParameterName, 'max-columns-preview')
            [CompletionResult]::new('--no-max-columns-preview', '--no-max-columns-preview', [CompletionResultType]::ParameterName, 'no-max-columns-preview')
            [CompletionResult]::new('--ignore-messages', '--ignore-messages', [CompletionResultType]::ParameterName, 'ignore-messages')
            [CompletionResult]::new('--no-ignore-messages', '--no-ignore-messages', [CompletionResultType]::ParameterName, 'no-ignore-messages')
            [CompletionResult]::new('--no-pcre2', '--no-pcre2', [CompletionResultType]::ParameterName, 'no-pcre2')
            [CompletionResult]::new('--no-auto-hybrid-regex', '--no-auto-hybrid-regex', [CompletionResultType]::ParameterName, 'no-auto-hybrid-regex')
            [CompletionResult]::new('--no-pre', '--no-pre', [CompletionResultType]::ParameterName, 'no-pre')
            [CompletionResult]::new('--no-encoding', '--no-encoding', [CompletionResultType]::ParameterName, 'no-encoding')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 's')
            [CompletionResult]::new('--case-sensitive', '--case-sensitive', [CompletionResultType]::ParameterName, 'case-sensitive')
            [CompletionResult]::new('--no-ignore-vcs', '--no-ignore-vcs', [CompletionResultType]::ParameterName, 'no-ignore-vcs')
            [CompletionResult]::new('--no-ignore-dot', '--no-ignore-dot', [CompletionResultType]::ParameterName, 'no-ignore-dot')
            [CompletionResult]::new('--no-ignore-exclude', '--no-ignore-exclude', [CompletionResultType]::ParameterName, 'no-ignore-exclude')
            [CompletionResult]::new('--no-ignore-global', '--no-ignore-global', [CompletionResultType]::ParameterName, 'no-ignore-global')
            [CompletionResult]::new('--no-ignore-parent', '--no-ignore-parent', [CompletionResultType]::ParameterName, 'no-ignore-parent')
            [CompletionResult]::new('--no-ignore-files', '--no-ignore-files', [CompletionResultType]::ParameterName, 'no-ignore-files')
            [CompletionResult]::new('--no-require-git', '--no-require-git', [CompletionResultType]::ParameterName, 'no-require-git')
            [CompletionResult]::new('--ignore-file-case-insensitive', '--ignore-file-case-insensitive', [CompletionResultType]::ParameterName, 'ignore-file-case-insensitive')
            [CompletionResult]::new('--glob-case-insensitive', '--glob-case-insensitive', [CompletionResultType]::ParameterName, 'glob-case-insensitive')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Merge the records of all files: in the order of their times, then of the files')
            [CompletionResult]::new('--no-path', '--no-path', [CompletionResultType]::ParameterName, 'With --merge, write no path and no number before lines')
            [CompletionResult]::new('--hash', '--hash', [CompletionResultType]::ParameterName, 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Accepted, as in rg: lines have their numbers anyway')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Accepted, as in rg: lines have their numbers anyway')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the content, to see how large it would be')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--expect-prefix', '--expect-prefix', [CompletionResultType]::ParameterName, 'With --expect, accept a file to which text was appended')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;follow' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Begin with the last N lines of each file, or with line N for +N [default: 10]')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Begin with the last N lines of each file, or with line N for +N [default: 10]')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Begin with the last N bytes of each file, or with byte N (the first is 1) for +N')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Begin with the last N bytes of each file, or with byte N (the first is 1) for +N')
            [CompletionResult]::new('--until-match', '--until-match', [CompletionResultType]::ParameterName, 'End after the first line that matches PATTERN, a regular expression; the lines of -n count too')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'With --until-match, print only the match and N lines after it')
            [CompletionResult]::new('--after-context', '--after-context', [CompletionResultType]::ParameterName, 'With --until-match, print only the match and N lines after it')
            [CompletionResult]::new('-B', '-B ', [CompletionResultType]::ParameterName, 'With --until-match, print only the match and N lines before it')
            [CompletionResult]::new('--before-context', '--before-context', [CompletionResultType]::ParameterName, 'With --until-match, print only the match and N lines before it')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'With --until-match, print only the match and N lines before and after it; with 0, the match alone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'With --until-match, print only the match and N lines before and after it; with 0, the match alone')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'End with exit code 1 if there is no match for DURATION, such as 60s; without --until-match, if nothing comes')
            [CompletionResult]::new('--pid', '--pid', [CompletionResultType]::ParameterName, 'End when the process P ends, after what it wrote')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'End before the content exceeds N bytes [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'End after N lines')
            [CompletionResult]::new('--poll', '--poll', [CompletionResultType]::ParameterName, 'Look for changes every DURATION, and do not wait for events')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Look every SECONDS at files whose changes the system does not report [default: 1]')
            [CompletionResult]::new('--sleep-interval', '--sleep-interval', [CompletionResultType]::ParameterName, 'Look every SECONDS at files whose changes the system does not report [default: 1]')
            [CompletionResult]::new('--hold', '--hold', [CompletionResultType]::ParameterName, 'How long a record waits for earlier ones of the other files [default: 500ms]')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Only records before the time T; +10m counts from --since')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write what comes in this format [default: text, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write what comes in this format [default: text, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no headers with the names of files')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no headers with the names of files')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Without effect, because nothing that follow prints has a receipt')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print headers with the names of files even for one file')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print headers with the names of files even for one file')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Print the records of all files in the order of their times, with the name of the file before each line of text')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Print each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;page' {
            [CompletionResult]::new('--page-size', '--page-size', [CompletionResultType]::ParameterName, 'Bytes of a page; a line that does not fit begins the next page [default: 4000, or the page size of a capture]')
            [CompletionResult]::new('--page', '--page', [CompletionResultType]::ParameterName, 'Another way to write N, as other programs for documents have it')
            [CompletionResult]::new('--hash-width', '--hash-width', [CompletionResultType]::ParameterName, 'Write N digits of the hash, 4 to 8 [default: 6]')
            [CompletionResult]::new('--hash-style', '--hash-style', [CompletionResultType]::ParameterName, 'How the hash is computed and written')
            [CompletionResult]::new('--encode', '--encode', [CompletionResultType]::ParameterName, 'Write the exact bytes of any file, binary or not, in this encoding')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'What to do with bytes that are not valid in the encoding of the file [default: replace]')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Stop before the content exceeds about N tokens, as --max-bytes stops')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after N lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--highlight', '--highlight', [CompletionResultType]::ParameterName, 'Colour source code where --color allows it: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Write every page, each with its receipt')
            [CompletionResult]::new('--hash', '--hash', [CompletionResultType]::ParameterName, 'Write each line with its number and hash: N#hhhhhh|text, which verify can compare later')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the content, to see how large it would be')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--expect-prefix', '--expect-prefix', [CompletionResultType]::ParameterName, 'With --expect, accept a file to which text was appended')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;stat' {
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'List N kinds of lines, the most frequent and the rarest, and count them all')
            [CompletionResult]::new('--rarest', '--rarest', [CompletionResultType]::ParameterName, 'List the N rarest kinds of lines, each with its whole first line')
            [CompletionResult]::new('--offset', '--offset', [CompletionResultType]::ParameterName, 'With --list, begin with this member, from 1')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'With --list, stop after N members')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'With --list, stop before the list exceeds N bytes [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Only records before the time T; +10m counts from --since')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Scan the file for its exact lines, longest line, line ends and invalid text')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the members of a tar or ZIP archive, also of a compressed one, one a line')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but the kind, the size, the lines and pages, and what is out of the ordinary')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;where' {
            [CompletionResult]::new('--byte', '--byte', [CompletionResultType]::ParameterName, 'A byte offset, from 0, such as 1048576 or 1MiB; -N counts from the end; this, --line or --time is required')
            [CompletionResult]::new('--line', '--line', [CompletionResultType]::ParameterName, 'A line number, from 1; -N counts from the end; this, --byte or --time is required')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'A time, such as 06:01, 2026-11-23T06:01 or -15m: the first record at or after it')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;verify' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take anchors from this file, or from standard input for -, one a line')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Compare the lines that were read with --hash when the file was in the state VERSION, or those of them that are named')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Show N lines before and after the lines that changed')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show N lines before and after the lines that changed')
            [CompletionResult]::new('--encode', '--encode', [CompletionResultType]::ParameterName, 'Write the exact bytes of any file, binary or not, in this encoding')
            [CompletionResult]::new('--invalid', '--invalid', [CompletionResultType]::ParameterName, 'What to do with bytes that are not valid in the encoding of the file [default: replace]')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop before the content exceeds N bytes: at a line end if a whole line fits, otherwise at a character [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Stop before the content exceeds about N tokens, as --max-bytes stops')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after N lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Read the file only if it is in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Read a binary file as if it were text')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Number the lines, right-aligned to 6 digits and followed by →')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the content, to see how large it would be')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--expect-prefix', '--expect-prefix', [CompletionResultType]::ParameterName, 'With --expect, accept a file to which text was appended')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;capture' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'Add the handle fd:NAME, and keep the output however short it is')
            [CompletionResult]::new('--page-size', '--page-size', [CompletionResultType]::ParameterName, 'Bytes of a page, at least 4 [default: 4000, or RREAD_MAX_BYTES if that is less]')
            [CompletionResult]::new('--direct', '--direct', [CompletionResultType]::ParameterName, 'Print output of at most N bytes as it is, and keep it only with --name [default: 8000, or RREAD_MAX_BYTES if that is less]')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Keep the first SIZE bytes, and only count the rest')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Show at most N bytes, also of a page; keep output of more bytes [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Show at most N lines; keep output of more lines')
            [CompletionResult]::new('--max-columns', '--max-columns', [CompletionResultType]::ParameterName, 'Clip lines to N characters, and count the clipped lines; keep output with such lines')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Show escape sequences and overwritten progress bars: strip (not at all) or keep (as written)')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--stdout-only', '--stdout-only', [CompletionResultType]::ParameterName, 'Keep standard output only; standard error is not redirected')
            [CompletionResult]::new('--always-zero', '--always-zero', [CompletionResultType]::ParameterName, 'Exit with 0 however CMD ended; its status is in the receipt')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print only the receipt, and keep the output however short it is')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but fd, exit_status, lines, total_lines, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the captures of this session, the oldest first')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Write a capture to a file')
            [CompletionResult]::new('drop', 'drop', [CompletionResultType]::ParameterValue, 'Remove captures: those named, all of this session, or the old ones')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'rread;capture;list' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;capture;save' {
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text to write: keep (as stored) or strip (without escape sequences)')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--append', '--append', [CompletionResultType]::ParameterName, 'Add to the end of the file, or create it')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the file, or create it')
            [CompletionResult]::new('--no-create', '--no-create', [CompletionResultType]::ParameterName, 'With --append or --force, write only to a file that exists')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;capture;drop' {
            [CompletionResult]::new('--older-than', '--older-than', [CompletionResultType]::ParameterName, 'Remove captures older than this, such as 7d or 12h')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Remove all captures of this session')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;capture;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the captures of this session, the oldest first')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Write a capture to a file')
            [CompletionResult]::new('drop', 'drop', [CompletionResultType]::ParameterValue, 'Remove captures: those named, all of this session, or the old ones')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'rread;capture;help;list' {
            break
        }
        'rread;capture;help;save' {
            break
        }
        'rread;capture;help;drop' {
            break
        }
        'rread;capture;help;help' {
            break
        }
        'rread;image' {
            [CompletionResult]::new('--thumbnail', '--thumbnail', [CompletionResultType]::ParameterName, 'Return a smaller picture that fits into N by N pixels')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Return at most N bytes: the exact bytes if they fit, otherwise roughly the largest thumbnail that fits [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--page', '--page', [CompletionResultType]::ParameterName, 'Return page N of a TIFF, as a thumbnail of its own size if --thumbnail gives no other')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--no-data', '--no-data', [CompletionResultType]::ParameterName, 'Print the receipt without the data')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the data')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;select' {
            [CompletionResult]::new('--table', '--table', [CompletionResultType]::ParameterName, 'Make FILE the table NAME, for joins; several times for several tables, or for several files of one')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Query the files only if they are in the state VERSION of an earlier receipt; otherwise exit with 7')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the rows in this style')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The kind of table [default: by content and name]')
            [CompletionResult]::new('--parse', '--parse', [CompletionResultType]::ParameterName, 'Find values in records and lines, and make columns of them: clf, combined, logfmt, json, ''<a> <_> \"<b>\"'' or a regex')
            [CompletionResult]::new('--sheet', '--sheet', [CompletionResultType]::ParameterName, 'The sheet of a workbook that is the table t, by name or number [default: the first visible one with values]')
            [CompletionResult]::new('--delimiter', '--delimiter', [CompletionResultType]::ParameterName, 'The characters between the values of a CSV, tab, or blanks for as many spaces and tabs as there are [default: the one of , tab ; and | that its records show]')
            [CompletionResult]::new('--skip-lines', '--skip-lines', [CompletionResultType]::ParameterName, 'Leave out the first N lines of a CSV, which come before the table')
            [CompletionResult]::new('--quote', '--quote', [CompletionResultType]::ParameterName, 'The character around values of a CSV; '''' for none [default: a double quote, if its values show no other]')
            [CompletionResult]::new('--escape', '--escape', [CompletionResultType]::ParameterName, 'The character before a quote in a quoted value [default: a quote, or a backslash if the values show it]')
            [CompletionResult]::new('--comment', '--comment', [CompletionResultType]::ParameterName, 'Ignore lines of a CSV that begin with this character')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Read this value of a CSV as NULL, like the empty one; may be given several times')
            [CompletionResult]::new('--decimal', '--decimal', [CompletionResultType]::ParameterName, 'The decimal point of numbers in a CSV: . or , [default: a comma if semicolons divide values, and the numbers show it]')
            [CompletionResult]::new('--thousands', '--thousands', [CompletionResultType]::ParameterName, 'The character between thousands in numbers of a CSV, as in 1,250 or 1.250')
            [CompletionResult]::new('--date-order', '--date-order', [CompletionResultType]::ParameterName, 'The order of day and month in dates of a CSV that end with the year [default: the only one that all values have]')
            [CompletionResult]::new('--schema', '--schema', [CompletionResultType]::ParameterName, 'Types of columns, instead of those inferred from the first MiB: amount:float64,zip:utf8 or *:utf8')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only records at or after the time T: 06:01, 2026-11-23T06:01, ''yesterday 6:00'', -15m')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Only records before the time T; +10m counts from --since')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--offset', '--offset', [CompletionResultType]::ParameterName, 'Leave out the first N rows of the result')
            [CompletionResult]::new('--max-rows', '--max-rows', [CompletionResultType]::ParameterName, 'Return at most N rows, and say how to go on')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Return at most N rows, and say how to go on')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Return whole rows of at most N bytes, and say how to go on [default: RREAD_MAX_BYTES]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Use at most SIZE of memory for sorting, grouping and joining [default: 512MiB]')
            [CompletionResult]::new('--workers', '--workers', [CompletionResultType]::ParameterName, 'Let these workers do the query: HOST:PORT,..., @FILE with one on each line, or dns:NAME:PORT for all addresses of a name [default: RREAD_WORKERS]')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file with the secret that the workers know')
            [CompletionResult]::new('--tls-ca', '--tls-ca', [CompletionResultType]::ParameterName, 'Encrypt, and trust workers whose certificate is signed by one of those in this file (PEM)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop the whole query after DURATION, such as 60s, with exit code 3')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--union', '--union', [CompletionResultType]::ParameterName, 'Columns that some of the files lack are NULL there')
            [CompletionResult]::new('--no-partitions', '--no-partitions', [CompletionResultType]::ParameterName, 'Do not make columns of directories such as day=2026-11-01')
            [CompletionResult]::new('--skip-unreadable', '--skip-unreadable', [CompletionResultType]::ParameterName, 'Leave out and count files that cannot be read')
            [CompletionResult]::new('--files', '--files', [CompletionResultType]::ParameterName, 'List the names of the files, one a line, and open none; with SQL, those that it does not exclude')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'With --files, end names with a NUL, for xargs -0; with --raw or -f text')
            [CompletionResult]::new('--print0', '--print0', [CompletionResultType]::ParameterName, 'With --files, end names with a NUL, for xargs -0; with --raw or -f text')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'The first record holds the names of the columns [default: if it is not like the records below it]')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Read the first record like the others, and call the columns _1, _2 and so on')
            [CompletionResult]::new('--pad', '--pad', [CompletionResultType]::ParameterName, 'Make values NULL that a record of a CSV lacks at its end')
            [CompletionResult]::new('--skip-bad', '--skip-bad', [CompletionResultType]::ParameterName, 'Leave out and count records that have too few or too many values, or a value of another type')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--metadata-only', '--metadata-only', [CompletionResultType]::ParameterName, 'Print the receipt without the rows')
            [CompletionResult]::new('--brief', '--brief', [CompletionResultType]::ParameterName, 'Leave out of the receipt all but the number of rows, truncated and next, and what is out of the ordinary')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;index' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Scan a file and keep its whole index')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show what the index of a file covers, and whether it can be trusted')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all indexes, the most recently used first')
            [CompletionResult]::new('clear', 'clear', [CompletionResultType]::ParameterValue, 'Remove indexes: those of the named files, all, or those not used for some time')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'rread;index;build' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;index;show' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;index;list' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;index;clear' {
            [CompletionResult]::new('--older-than', '--older-than', [CompletionResultType]::ParameterName, 'Remove indexes not used for this time, such as 30d or 12h')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Remove all indexes, and the hashes that verify --since compares')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;index;help' {
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Scan a file and keep its whole index')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show what the index of a file covers, and whether it can be trusted')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all indexes, the most recently used first')
            [CompletionResult]::new('clear', 'clear', [CompletionResultType]::ParameterValue, 'Remove indexes: those of the named files, all, or those not used for some time')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'rread;index;help;build' {
            break
        }
        'rread;index;help;show' {
            break
        }
        'rread;index;help;list' {
            break
        }
        'rread;index;help;clear' {
            break
        }
        'rread;index;help;help' {
            break
        }
        'rread;view' {
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'Begin with the first record at or after the time T: 06:01, 2026-11-23T06:01 or -15m')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Begin with the first record at or after the time T: 06:01, 2026-11-23T06:01 or -15m')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'End the view before the first record at or after the time T; +10m counts from --since')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Begin with the first line that matches PATTERN, a regular expression')
            [CompletionResult]::new('--pattern', '--pattern', [CompletionResultType]::ParameterName, 'Begin with the first line that matches PATTERN, a regular expression')
            [CompletionResult]::new('--highlight', '--highlight', [CompletionResultType]::ParameterName, 'Colour source code: auto, LANGUAGE (a name or an extension: rust, py) or never [default: auto]')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The zone of times without one, and of T: Europe/Berlin, UTC, +02:00 [default: that of the system]')
            [CompletionResult]::new('--time-format', '--time-format', [CompletionResultType]::ParameterName, 'The format of the times in the file, as in strptime, such as ''%d.%m.%y %H:%M:%S''')
            [CompletionResult]::new('--year', '--year', [CompletionResultType]::ParameterName, 'The year of the last record, for times without a year [default: that of the file]')
            [CompletionResult]::new('--slack', '--slack', [CompletionResultType]::ParameterName, 'How far records may be out of order [default: 10s]')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop waiting if a stream or a server sends nothing for DURATION, such as 5s, 500ms or 5')
            [CompletionResult]::new('--retries', '--retries', [CompletionResultType]::ParameterName, 'Repeat a request up to N times if the server is busy or the connection breaks [default: 4]')
            [CompletionResult]::new('--http-header', '--http-header', [CompletionResultType]::ParameterName, 'Send this header to web servers, such as ''Authorization: Bearer TOKEN''; may be given several times')
            [CompletionResult]::new('--ansi', '--ansi', [CompletionResultType]::ParameterName, 'Which text of a capture fd:N to read: strip (without escape sequences) or keep (as stored) [default: strip]')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'The encoding of the file: auto or a label such as utf-16le, windows-1252, shift_jis [default: auto]')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Begin with the end, and show what is appended as it comes, as +F does')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Show the records of several FILEs as one text: in the order of their times, then of the files')
            [CompletionResult]::new('--no-path', '--no-path', [CompletionResultType]::ParameterName, 'With --merge, show no names of files before lines')
            [CompletionResult]::new('-F', '-F ', [CompletionResultType]::ParameterName, 'Print the file and quit if one screen shows everything')
            [CompletionResult]::new('--one-screen', '--one-screen', [CompletionResultType]::ParameterName, 'Print the file and quit if one screen shows everything')
            [CompletionResult]::new('--quit-if-one-screen', '--quit-if-one-screen', [CompletionResultType]::ParameterName, 'Print the file and quit if one screen shows everything')
            [CompletionResult]::new('-N', '-N ', [CompletionResultType]::ParameterName, 'Show line numbers')
            [CompletionResult]::new('--number', '--number', [CompletionResultType]::ParameterName, 'Show line numbers')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Cut long lines at the edge of the screen; left and right scroll them')
            [CompletionResult]::new('--chop', '--chop', [CompletionResultType]::ParameterName, 'Cut long lines at the edge of the screen; left and right scroll them')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Ignore case in searches, unless a pattern has an upper-case letter')
            [CompletionResult]::new('--ignore-case', '--ignore-case', [CompletionResultType]::ParameterName, 'Ignore case in searches, unless a pattern has an upper-case letter')
            [CompletionResult]::new('-I', '-I ', [CompletionResultType]::ParameterName, 'Ignore case in searches, also that of the pattern')
            [CompletionResult]::new('--IGNORE-CASE', '--IGNORE-CASE', [CompletionResultType]::ParameterName, 'Ignore case in searches, also that of the pattern')
            [CompletionResult]::new('-G', '-G ', [CompletionResultType]::ParameterName, 'Do not highlight matches')
            [CompletionResult]::new('--HILITE-SEARCH', '--HILITE-SEARCH', [CompletionResultType]::ParameterName, 'Do not highlight matches')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'Show escape sequences and overstrikes as text')
            [CompletionResult]::new('--UNDERLINE-SPECIAL', '--UNDERLINE-SPECIAL', [CompletionResultType]::ParameterName, 'Show escape sequences and overstrikes as text')
            [CompletionResult]::new('--fold', '--fold', [CompletionResultType]::ParameterName, 'Show each JSON line as time, level and message, then the other members as key=value')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Options of less for what rread does anyway. Each may be given several times')
            [CompletionResult]::new('--RAW-CONTROL-CHARS', '--RAW-CONTROL-CHARS', [CompletionResultType]::ParameterName, 'Options of less for what rread does anyway. Each may be given several times')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'n')
            [CompletionResult]::new('--line-numbers', '--line-numbers', [CompletionResultType]::ParameterName, 'line-numbers')
            [CompletionResult]::new('--scan', '--scan', [CompletionResultType]::ParameterName, 'Look at every record, for files that are out of order')
            [CompletionResult]::new('--no-index', '--no-index', [CompletionResultType]::ParameterName, 'Neither use nor build a line index of the file [default: RREAD_INDEX]')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read FILE as it comes, even if it is a named pipe or a character device')
            [CompletionResult]::new('--salvage', '--salvage', [CompletionResultType]::ParameterName, 'Read a damaged compressed file as if it ended where the damage begins')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Read each line as a terminal shows it in the end: without escape sequences, overwritten and erased')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Send no credentials, for public objects')
            [CompletionResult]::new('--no-decompress', '--no-decompress', [CompletionResultType]::ParameterName, 'Read the bytes of a compressed file as they are')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;doctor' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Write the answer in this format [default: frontmatter, or RREAD_FORMAT]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour metadata keys, line numbers, matches and hex dumps')
            [CompletionResult]::new('--anonymous', '--anonymous', [CompletionResultType]::ParameterName, 'Report what requests without credentials would use')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Short for --format json')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Short for --format raw: the bytes of the file and nothing else')
            [CompletionResult]::new('--xml', '--xml', [CompletionResultType]::ParameterName, 'Short for --format xml')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;call' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Read only files below DIR; may be given several times')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;mcp' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Directory that clients may read; may be given several times [default: the working directory]')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'End a call that works longer than DURATION, unless its argument timeout says otherwise')
            [CompletionResult]::new('--allow-capture', '--allow-capture', [CompletionResultType]::ParameterName, 'Offer the tool capture, which runs any command, and read captures (fd:N)')
            [CompletionResult]::new('--allow-remote', '--allow-remote', [CompletionResultType]::ParameterName, 'Read objects and web pages by their URLs, with the credentials of the environment')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;worker' {
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'Where clients connect; port 0 is any free one')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'URL or directory below which clients may read; may be given several times')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file with the secret that clients and other workers know, at least 16 characters [default: one that only this user can read, whose path the worker prints]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Use at most SIZE of memory for sorting, grouping and joining, of all queries together; the worker ends when it takes four times that')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'End a query that takes longer than DURATION, such as 10m')
            [CompletionResult]::new('--tls-cert', '--tls-cert', [CompletionResultType]::ParameterName, 'Encrypt, with the certificate in this file (PEM)')
            [CompletionResult]::new('--tls-key', '--tls-key', [CompletionResultType]::ParameterName, 'The key of the certificate (PEM)')
            [CompletionResult]::new('--tls-ca', '--tls-ca', [CompletionResultType]::ParameterName, 'Trust other workers whose certificate is signed by one of those in this file (PEM) [default: the certificate itself]')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Check the options, the roots and the address, and end')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'rread;help' {
            [CompletionResult]::new('bytes', 'bytes', [CompletionResultType]::ParameterValue, 'Read byte ranges, cut at character edges')
            [CompletionResult]::new('lines', 'lines', [CompletionResultType]::ParameterValue, 'Read line ranges by number, from the front or from the end')
            [CompletionResult]::new('ranges', 'ranges', [CompletionResultType]::ParameterValue, 'Read many ranges of lines and bytes in one pass')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Show the lines that match a pattern, in files of any kind and size')
            [CompletionResult]::new('follow', 'follow', [CompletionResultType]::ParameterValue, 'Print the last lines of files, and what is appended to them, as it comes')
            [CompletionResult]::new('page', 'page', [CompletionResultType]::ParameterValue, 'Read a file page by page, at the same cost for any page of any file')
            [CompletionResult]::new('stat', 'stat', [CompletionResultType]::ParameterValue, 'Report what a file is, without reading it all')
            [CompletionResult]::new('where', 'where', [CompletionResultType]::ParameterValue, 'Report where a byte, a line or a time is: byte to line and column, line to bytes, time to line')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Report which lines have changed since they were read with --hash')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Keep the output of a command, or standard input, and read it in parts by its handle')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Report format, size and mode of a picture, and return its bytes as a data URI')
            [CompletionResult]::new('select', 'select', [CompletionResultType]::ParameterValue, 'Run an SQL query on the table in a file')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Build, show, list and clear line indexes')
            [CompletionResult]::new('view', 'view', [CompletionResultType]::ParameterValue, 'Look at a file of any size full-screen, with the keys of less')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Report what this build has, where it keeps files, and what it would use for a URL')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool for agents once, without a server')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Serve the tools for agents over the Model Context Protocol, on standard input and output')
            [CompletionResult]::new('worker', 'worker', [CompletionResultType]::ParameterValue, 'Do parts of the queries that rread select --workers sends from other machines')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'rread;help;bytes' {
            break
        }
        'rread;help;lines' {
            break
        }
        'rread;help;ranges' {
            break
        }
        'rread;help;search' {
            break
        }
        'rread;help;follow' {
            break
        }
        'rread;help;page' {
            break
        }
        'rread;help;stat' {
            break
        }
        'rread;help;where' {
            break
        }
        'rread;help;verify' {
            break
        }
        'rread;help;capture' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the captures of this session, the oldest first')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Write a capture to a file')
            [CompletionResult]::new('drop', 'drop', [CompletionResultType]::ParameterValue, 'Remove captures: those named, all of this session, or the old ones')
            break
        }
        'rread;help;capture;list' {
            break
        }
        'rread;help;capture;save' {
            break
        }
        'rread;help;capture;drop' {
            break
        }
        'rread;help;image' {
            break
        }
        'rread;help;select' {
            break
        }
        'rread;help;index' {
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Scan a file and keep its whole index')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show what the index of a file covers, and whether it can be trusted')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all indexes, the most recently used first')
            [CompletionResult]::new('clear', 'clear', [CompletionResultType]::ParameterValue, 'Remove indexes: those of the named files, all, or those not used for some time')
            break
        }
        'rread;help;index;build' {
            break
        }
        'rread;help;index;show' {
            break
        }
        'rread;help;index;list' {
            break
        }
        'rread;help;index;clear' {
            break
        }
        'rread;help;view' {
            break
        }
        'rread;help;doctor' {
            break
        }
        'rread;help;call' {
            break
        }
        'rread;help;mcp' {
            break
        }
        'rread;help;worker' {
            break
        }
        'rread;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
