# Completion of tansy for bash; made by `tansy help --completion bash`.
_tansy()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=
    local prefix=
    COMPREPLY=()
    if [[ $word == --*=* ]]; then # bash takes --name=value apart, unless it was told not to
        before=${word%%=*}
        prefix=$before=
        word=${word#*=}
    elif [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "solve rank check export methods help version" -- "$word"))
        return
    fi
    case $before in
    --at) return ;;
    --to) return ;;
    --points) return ;;
    --sens) COMPREPLY=($(compgen -P "$prefix" -W "all none" -- "$word")); return ;;
    --set) return ;;
    --scan) return ;;
    --atol) return ;;
    --scale) COMPREPLY=($(compgen -P "$prefix" -W "none log p" -- "$word")); return ;;
    --of) return ;;
    --out) COMPREPLY=($(compgen -P "$prefix" -f -- "$word")); return ;;
    --stats) COMPREPLY=($(compgen -P "$prefix" -f -- "$word")); return ;;
    --plot) COMPREPLY=($(compgen -P "$prefix" -f -- "$word")); return ;;
    --panels) COMPREPLY=($(compgen -P "$prefix" -W "all trajectories sensitivities normalised ranking" -- "$word")); return ;;
    --report) COMPREPLY=($(compgen -P "$prefix" -f -- "$word")); return ;;
    --c) COMPREPLY=($(compgen -P "$prefix" -f -- "$word")); return ;;
    --completion) COMPREPLY=($(compgen -P "$prefix" -W "bash zsh fish" -- "$word")); return ;;
    --method) COMPREPLY=($(compgen -P "$prefix" -W "auto adams bdf dassl rk8 rosenbrock limex" -- "$word")); return ;;
    --sensitivities) COMPREPLY=($(compgen -P "$prefix" -W "auto simultaneous staggered direct none measured tangent difference" -- "$word")); return ;;
    --error-control) COMPREPLY=($(compgen -P "$prefix" -W "each state all" -- "$word")); return ;;
    --norm) COMPREPLY=($(compgen -P "$prefix" -W "rms max" -- "$word")); return ;;
    --linear-solver) COMPREPLY=($(compgen -P "$prefix" -W "auto dense band diagonal sparse gmres" -- "$word")); return ;;
    --residual) COMPREPLY=($(compgen -P "$prefix" -W "auto seed matrix differences" -- "$word")); return ;;
    --difference) COMPREPLY=($(compgen -P "$prefix" -W "auto forward central fourth" -- "$word")); return ;;
    --difference-increment) return ;;
    --rtol) return ;;
    --max-order) return ;;
    --first-step) return ;;
    --min-step) return ;;
    --max-step) return ;;
    --max-steps) return ;;
    --threads) return ;;
    --suppress-algebraic) return ;;
    --initial-tolerance) return ;;
    --keep-initial) return ;;
    --preconditioner) COMPREPLY=($(compgen -P "$prefix" -W "auto none band ilu block" -- "$word")); return ;;
    --precondition-side) COMPREPLY=($(compgen -P "$prefix" -W "auto left right" -- "$word")); return ;;
    --krylov-dimension) return ;;
    --krylov-orthogonal) return ;;
    --krylov-restarts) return ;;
    --krylov-tolerance) return ;;
    --preconditioner-lower) return ;;
    --preconditioner-upper) return ;;
    --preconditioner-block) return ;;
    --formula) COMPREPLY=($(compgen -P "$prefix" -W "auto dop853 dopri8 rodas5p rodas4 grk4a grk4t" -- "$word")); return ;;
    --second-derivatives) COMPREPLY=($(compgen -P "$prefix" -W "auto differences neglected" -- "$word")); return ;;
    --substeps) return ;;
    --memory-limit) return ;;
    --sparsing) return ;;
    --full-tableau) return ;;
    --max-newton) return ;;
    --newton-tolerance) return ;;
    --max-error-failures) return ;;
    --time-probes) return ;;
    --max-convergence-failures) return ;;
    esac
    case ${COMP_WORDS[1]} in
    solve) words="--at --to --points --sens --set --scan --atol --scale --out --stats --plot --panels --report --verify --once --quiet --help --method --sensitivities --error-control --norm --linear-solver --residual --difference --difference-increment --rtol --max-order --first-step --min-step --max-step --max-steps --threads --suppress-algebraic --initial-tolerance --keep-initial --preconditioner --precondition-side --krylov-dimension --krylov-orthogonal --krylov-restarts --krylov-tolerance --preconditioner-lower --preconditioner-upper --preconditioner-block --formula --second-derivatives --substeps --memory-limit --sparsing --full-tableau --max-newton --newton-tolerance --max-error-failures --time-probes --max-convergence-failures" ;;
    rank) words="--at --to --points --sens --set --atol --of --each --out --stats --plot --once --quiet --help --method --sensitivities --error-control --norm --linear-solver --residual --difference --difference-increment --rtol --max-order --first-step --min-step --max-step --max-steps --threads --suppress-algebraic --initial-tolerance --keep-initial --preconditioner --precondition-side --krylov-dimension --krylov-orthogonal --krylov-restarts --krylov-tolerance --preconditioner-lower --preconditioner-upper --preconditioner-block --formula --second-derivatives --substeps --memory-limit --sparsing --full-tableau --max-newton --newton-tolerance --max-error-failures --time-probes --max-convergence-failures" ;;
    check) words="--to --set --atol --quiet --help --method --sensitivities --error-control --norm --linear-solver --residual --difference --difference-increment --rtol --max-order --first-step --min-step --max-step --max-steps --threads --suppress-algebraic --initial-tolerance --keep-initial --preconditioner --precondition-side --krylov-dimension --krylov-orthogonal --krylov-restarts --krylov-tolerance --preconditioner-lower --preconditioner-upper --preconditioner-block --formula --second-derivatives --substeps --memory-limit --sparsing --full-tableau --max-newton --newton-tolerance --max-error-failures --time-probes --max-convergence-failures" ;;
    export) words="--c --quiet --help" ;;
    methods) words="--help" ;;
    help) words="--man --completion --help solve rank check export methods help version sensitivities verify scan output language" ;;
    version) words="--help" ;;
    esac
    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _tansy tansy
