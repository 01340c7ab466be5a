# Completion of quoin for bash. `quoin complete` knows what may come next; this asks it, and for the names of files.
_quoin() {
  local word line glued='' cut tail
  local -a words=() lines=()
  COMPREPLY=()
  # For bash '=' and ':' are words of their own, which quoin wants back in theirs.
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ${#words[@]} -gt 1 && (-n $glued || $word =~ ^[=:]+$) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word =~ ^[=:]+$ ]] && glued=1 || glued=''
  done
  tail=$word # what bash puts a reply in place of
  [[ -n $glued ]] && tail=''
  cut=${words[-1]%"$tail"}
  mapfile -t lines < <("${words[0]/#\~/$HOME}" complete "${words[@]}" 2>/dev/null)
  for line in "${lines[@]}"; do
    case $line in
      @cases)
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
          compgen -f -X '!*.yaml' -- "$tail"
          compgen -f -X '!*.yml' -- "$tail"
          compgen -d -- "$tail"
        )
        ;;
      @files | @folders)
        compopt -o filenames 2>/dev/null
        [[ $line == @files ]] && word=-f || word=-d
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$word" -- "$tail")
        ;;
      *)
        line=${line%%$'\t'*}
        [[ $line == *[=.] ]] && compopt -o nospace 2>/dev/null
        COMPREPLY+=("${line#"$cut"}")
        ;;
    esac
  done
}
complete -F _quoin quoin
