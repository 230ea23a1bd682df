(module (memory (export "memory") 17))
