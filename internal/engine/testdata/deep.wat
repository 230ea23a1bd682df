;; Recurses as deep as it is told, and comes back.
(module
  (memory (export "memory") 1)
  (func $deep (export "deep") (param $n i32) (result i32)
    (if (i32.eqz (local.get $n)) (then (return (i32.const 0))))
    (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1))))))
