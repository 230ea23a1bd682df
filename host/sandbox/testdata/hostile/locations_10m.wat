;; Hands over 10 million locations in 100 blocks. They are dropped beyond the limits of the
;; deployment, and the answer is incomplete.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 40)

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $n i32) (local $at i32)
    (global.set $used (i32.const 1))
    ;; 100,000 records from 65536 on, each with a line of its own
    (loop $on
      (local.set $at (i32.add (i32.const 65536) (i32.mul (local.get $n) (i32.const 24))))
      (i32.store offset=4 (local.get $at) (i32.const 5))
      (i32.store offset=8 (local.get $at) (local.get $n))
      (i32.store offset=16 (local.get $at) (local.get $n))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $on (i32.lt_u (local.get $n) (i32.const 100000))))

    (local.set $n (i32.const 100))
    (loop $on
      (call $locations (i32.const 65536) (i32.const 100000))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $on (local.get $n)))
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
