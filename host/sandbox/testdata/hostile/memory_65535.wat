;; Has a memory of 65,535 pages, all but one of those that there may be, and hands over a record
;; and a path at its end. Where the deployment allows that much, it is an answer; else the module
;; is refused, naming memoryBytes.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 65535)

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (i32.store8 (i32.const 0xfffeffff) (i32.const 122))
    (i32.store (i32.const 0xfffeffe0) (i32.const 0xfffeffff)) ;; the record: a path of one byte
    (i32.store (i32.const 0xfffeffe4) (i32.const 1))
    (i32.store (i32.const 0xfffeffe8) (i32.const 0))
    (i32.store (i32.const 0xfffeffec) (i32.const 0))
    (i32.store (i32.const 0xfffefff0) (i32.const 0))
    (i32.store (i32.const 0xfffefff4) (i32.const 0))
    (call $locations (i32.const 0xfffeffe0) (i32.const 1))
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
