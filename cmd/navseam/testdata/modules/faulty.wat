;; A different fault in each operation: a wrong status, a breach, a loop without end, a trap.
(module
  (import "navseam_v1" "message" (func $message (param i32 i32)))
  (import "navseam_v1" "log" (func $log (param i32 i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "round and round")

  (func (export "goToDefinition") (param i32 i32) (result i32)
    (i32.const 9))

  (func (export "findReferences") (param i32 i32) (result i32)
    (call $message (i32.const 65536) (i32.const 1))
    (i32.const 3))

  (func (export "goToImplementation") (param i32 i32) (result i32)
    (call $log (i32.const 2) (i32.const 0) (i32.const 15))
    (loop $again (br $again))
    (i32.const 0))

  (func (export "hover") (param i32 i32) (result i32)
    (unreachable)))
