;; No fault: one operation is not there now, one fails and says why, one finds nothing, and
;; one is not exported.
(module
  (import "navseam_v1" "message" (func $message (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "the index is missing")

  (func (export "goToDefinition") (param i32 i32) (result i32)
    (call $message (i32.const 0) (i32.const 20))
    (i32.const 2))

  (func (export "findReferences") (param i32 i32) (result i32)
    (call $message (i32.const 0) (i32.const 20))
    (i32.const 3))

  (func (export "hover") (param i32 i32) (result i32)
    (i32.const 0)))
