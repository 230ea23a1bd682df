// Package changes tells what changed on disk in a folder since one last looked.
//
// A [Tree] knows the files of a folder. Each [Cursor] is somebody who follows it: [Cursor.Look]
// gives every change up to that moment, once. Nothing is told behind its back and nothing runs
// between two looks: on Linux the kernel keeps the events until they are asked for (inotify,
// whose queue has an event before the call that caused it returns), elsewhere, and where events
// cannot be had, a look compares every file with what is known of it.
//
// What no look finds: a write through a mapping that changes no time, a write to a file of the
// tree by a hard link that was made elsewhere after the file was last seen, and, with events,
// what other machines do on a file system that only reports the doings of this one.
package changes
