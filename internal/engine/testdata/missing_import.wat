(module (import "host" "no such function" (func)) (memory (export "memory") 1))
