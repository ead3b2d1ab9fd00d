package memory

import (
	"math"
	"path"
	"strconv"
	"strings"
)

// The files of Linux that tell of memory: proc(5), and "Control Group v2" and
// "Memory Resource Controller" in the kernel's admin guide.

// available returns the bytes of MemAvailable in the text of /proc/meminfo, +Inf if it
// is not there.
func available(meminfo string) float64 {
	if kilobytes, ok := field(meminfo, "MemAvailable:"); ok {
		return kilobytes * 1024
	}
	return math.Inf(1)
}

// statm returns the pages that a process has mapped and those that are in memory, by
// the text of /proc/self/statm.
func statm(text string) (mapped, resident float64) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return 0, 0
	}
	mapped, _ = strconv.ParseFloat(fields[0], 64)
	resident, _ = strconv.ParseFloat(fields[1], 64)
	return mapped, resident
}

// hierarchy says where a kind of control groups has its numbers.
type hierarchy struct{ root, limit, usage, cache string }

var (
	version1 = hierarchy{"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
		"memory.usage_in_bytes", "total_inactive_file"}
	version2 = hierarchy{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}
)

// groupsLeave returns the bytes that the control groups in the text of
// /proc/self/cgroup and all groups above them leave; +Inf where there is no limit.
// read returns the text of a file.
func groupsLeave(read func(elements ...string) string, cgroup string) float64 {
	left := math.Inf(1)
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		h := version1
		if parts[0] == "0" && parts[1] == "" {
			h = version2
		} else if parts[1] != "memory" {
			continue
		}
		// Within a container the path may be that of the host: what is not there is
		// passed over, up to the root, which is the container's own.
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			left = min(left, h.leaves(read, group))
			if group == "/" {
				break
			}
		}
	}
	return left
}

// leaves returns the bytes that one group leaves. Files that it holds in memory and
// has not used for a while make room.
func (h hierarchy) leaves(read func(elements ...string) string, group string) float64 {
	limit, limited := number(read(h.root, group, h.limit))
	usage, used := number(read(h.root, group, h.usage))
	if !limited || !used {
		return math.Inf(1)
	}
	cache, _ := field(read(h.root, group, "memory.stat"), h.cache)
	return limit - max(0, usage-cache)
}

// field returns the number behind a name at the beginning of a line.
func field(text, name string) (float64, bool) {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == name {
			return number(fields[1])
		}
	}
	return 0, false
}

// number returns the number that a text is.
func number(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil
}
