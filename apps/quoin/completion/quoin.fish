# Completion of quoin for fish. `quoin complete` knows what may come next; this asks it, and for the names of files.
function __quoin_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] complete $words "$current" 2>/dev/null)
        switch $line
            case @cases
                __fish_complete_path "$current" | string match -r '^.*(?:/|\.ya?ml)(?:\t.*)?$'
            case @files
                __fish_complete_path "$current"
            case @folders
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c quoin -f -a '(__quoin_complete)'
