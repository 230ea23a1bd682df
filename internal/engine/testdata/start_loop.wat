(module (memory (export "memory") 1) (func $start (loop $again (br $again))) (start $start))
