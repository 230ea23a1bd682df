;; Hands over 40 locations, each with a path of 16 MiB of its own that leads out of the workspace.
;; They are beyond what an answer may be, so they are dropped unread, and the answer is incomplete.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 280)

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $n i32)
    (global.set $used (i32.const 1))
    (memory.fill (i32.const 65536) (i32.const 47) (i32.const 0x1100000)) ;; slashes
    (i32.store (i32.const 36) (i32.const 0x1000000))
    (loop $on
      (i32.store (i32.const 32) (i32.add (i32.const 65536) (local.get $n)))
      (i32.store8 (i32.add (i32.const 66000) (local.get $n)) (i32.const 97))
      (call $locations (i32.const 32) (i32.const 1))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $on (i32.lt_u (local.get $n) (i32.const 40))))
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
