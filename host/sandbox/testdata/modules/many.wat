;; Ten thousand locations in a hundred files, handed over a file at a time.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 1)
  ;; 0: the path "src/00.toy", whose digits change. 64: a hundred records.
  (data (i32.const 0) "src/00.toy")
  (func (export "findReferences") (param $line i32) (param $character i32) (result i32)
    (local $file i32) (local $n i32) (local $record i32)
    (loop $files
      (i32.store8 (i32.const 4) (i32.add (i32.const 48) (i32.div_u (local.get $file) (i32.const 10))))
      (i32.store8 (i32.const 5) (i32.add (i32.const 48) (i32.rem_u (local.get $file) (i32.const 10))))
      (local.set $n (i32.const 0))
      (local.set $record (i32.const 64))
      (loop $records
        (i32.store (local.get $record) (i32.const 0))
        (i32.store offset=4 (local.get $record) (i32.const 10))
        (i32.store offset=8 (local.get $record) (local.get $n))
        (i32.store offset=12 (local.get $record) (i32.const 4))
        (i32.store offset=16 (local.get $record) (local.get $n))
        (i32.store offset=20 (local.get $record) (i32.const 8))
        (local.set $record (i32.add (local.get $record) (i32.const 24)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if $records (i32.lt_u (local.get $n) (i32.const 100))))
      (call $locations (i32.const 64) (i32.const 100))
      (local.set $file (i32.add (local.get $file) (i32.const 1)))
      (br_if $files (i32.lt_u (local.get $file) (i32.const 100))))
    (i32.const 0)))
