;; A hover whose range ends before it begins. The query fails with LSP_MALFORMED_RESPONSE; that is
;; no reason to give up the instance.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "hover" (func $hover (param i32 i32)))
  (import "navseam_v1" "hover_range" (func $hover_range (param i32 i32 i32 i32)))
  (memory (export "memory") 1)

  (func (export "hover") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (call $hover (i32.const 0) (i32.const 5))
    (call $hover_range (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 9))
    (i32.const 0))

  ;; findReferences hands over line 0 of a.toy from a fresh instance, line 1 from one that
  ;; has misbehaved.
  (global $used (mut i32) (i32.const 0))
  (data (i32.const 0) "a.toy")
  (data (i32.const 8) "\00\00\00\00\05\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00")
  (func (export "findReferences") (param i32 i32) (result i32)
    (i32.store (i32.const 16) (global.get $used))
    (call $locations (i32.const 8) (i32.const 1))
    (i32.const 0)))
