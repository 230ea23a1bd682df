;; Hands over 200,000 locations, all with one path of a MiB: hours of work for a host that looks at
;; the path of each. The query ends, in whatever way, and not much after the deadline.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 100)
  (data (i32.const 32) "\00\00\50\00\00\00\10\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00")

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $n i32)
    (global.set $used (i32.const 1))
    (memory.fill (i32.const 0x500000) (i32.const 97) (i32.const 0x100000))
    (local.set $n (i32.const 200000))
    (loop $on
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (memory.copy (i32.add (i32.const 65536) (i32.mul (local.get $n) (i32.const 24))) (i32.const 32) (i32.const 24))
      (br_if $on (local.get $n)))
    (call $locations (i32.const 65536) (i32.const 200000))
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
