package memory

import (
	"math"
	"path"
	"strconv"
	"strings"
)

// The functions in this file parse files of the Linux kernel. See proc(5), and "Control Group v2" and "Memory
// Resource Controller" in the kernel's admin guide.

// memAvailable returns MemAvailable in bytes from the text of /proc/meminfo, or +Inf if it is
// missing.
func memAvailable(meminfo string) float64 {
	if kilobytes, ok := field(meminfo, "MemAvailable:"); ok {
		return kilobytes * 1024
	}
	return math.Inf(1)
}

// statm returns the numbers of mapped and resident pages from the text of /proc/self/statm.
func statm(text string) (mapped, resident float64) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return 0, 0
	}
	mapped, _ = strconv.ParseFloat(fields[0], 64)
	resident, _ = strconv.ParseFloat(fields[1], 64)
	return mapped, resident
}

// hierarchy holds the mount point and the file names of a version of control groups.
type hierarchy struct{ root, limit, usage, cache string }

var (
	version1 = hierarchy{"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
		"memory.usage_in_bytes", "total_inactive_file"}
	version2 = hierarchy{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}
)

// cgroupsFree returns the bytes left in the control groups listed in the text of /proc/self/cgroup
// and in all their ancestors, or +Inf if they have no limit. read returns the content of a file.
func cgroupsFree(read func(elements ...string) string, cgroup string) float64 {
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
		// In a container the path can be relative to the host. Missing groups are skipped; the root is the
		// group of the container.
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			left = min(left, h.free(read, group))
			if group == "/" {
				break
			}
		}
	}
	return left
}

// free returns the bytes left in a group. The inactive page cache counts as free, because the
// kernel reclaims it.
func (h hierarchy) free(read func(elements ...string) string, group string) float64 {
	limit, limited := number(read(h.root, group, h.limit))
	usage, used := number(read(h.root, group, h.usage))
	if !limited || !used {
		return math.Inf(1)
	}
	cache, _ := field(read(h.root, group, "memory.stat"), h.cache)
	return limit - max(0, usage-cache)
}

// field returns the number after the name at the beginning of a line.
func field(text, name string) (float64, bool) {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == name {
			return number(fields[1])
		}
	}
	return 0, false
}

func number(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil
}
