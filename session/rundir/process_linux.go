package rundir

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
)

// system returns an identifier of the boot of this machine and of the process namespace.
var system = sync.OnceValue(func() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return strings.TrimSpace(string(boot)) + " " + namespace
})

// processStart returns the start time of a process in clock ticks since the boot. running is true if the
// process runs. See proc_pid_stat(5).
func processStart(pid int) (started string, running bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", false
	}
	end := bytes.LastIndexByte(stat, ')') // The program name may contain any character.
	fields := bytes.Fields(stat[end+1:])
	const state, start = 0, 19 // fields 3 and 22
	if len(fields) <= start || string(fields[state]) == "Z" {
		return "", false
	}
	return string(fields[start]), true
}
