#compdef quoin
# Completion of quoin for zsh. `quoin complete` knows what may come next; this asks it, and for the names of files.

local line
local -a open shown_open closed shown_closed
for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" complete "${(@Q)words[1,CURRENT]}" 2>/dev/null)}"; do
  case $line in
    @cases) _files -g '*.(yaml|yml)' ;;
    @files) _files ;;
    @folders) _files -/ ;;
    *[=.]$'\t'*) # a value or a name follows
      open+=("${line%%$'\t'*}")
      shown_open+=("${line/$'\t'/  }")
      ;;
    ?*)
      closed+=("${line%%$'\t'*}")
      shown_closed+=("${line/$'\t'/  }")
      ;;
  esac
done
(($#open)) && compadd -l -S '' -d shown_open -a open
(($#closed)) && compadd -l -d shown_closed -a closed
return 0
