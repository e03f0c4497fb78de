# Offers handles of captures and members of archives; $2 is the word if there is none. bash divides words at colons.
_rread_words() {
    local name before="" word="${COMP_LINE:0:COMP_POINT}"
    word="${word##*[[:space:]]}"
    word="${word:-${1:-$2}}"
    case "${word}" in
        fd*|tar:*|zip:*) ;;
        *) return 1 ;;
    esac
    [[ "${COMP_WORDBREAKS}" == *:* && "${word}" == *:* && "${COMP_LINE}" ]] && before="${word%:*}:"
    while IFS= read -r name; do
        [[ "${name}" == */ ]] && compopt -o nospace 2>/dev/null
        COMPREPLY+=("${name#"${before}"}")
    done < <(rread --complete "${word}" 2>/dev/null)
    [[ "${word}" == *:* ]]
}

# Completes names of files, split at newlines only and without expansion, and what is named like files.
_rread_files() {
    local name
    COMPREPLY=()
    compopt -o filenames 2>/dev/null
    _rread_words "$1" && return
    while IFS= read -r name; do
        COMPREPLY+=("${name}")
    done < <(compgen -f -- "$1")
}

