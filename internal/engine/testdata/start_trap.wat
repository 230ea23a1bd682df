(module (memory (export "memory") 1) (func $start (unreachable)) (start $start))
