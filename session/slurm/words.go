package slurm

import "strings"

// reasons explains the reasons of squeue for pending tasks. See "JOB REASON CODES" in squeue(1) and
// slurm.schedmd.com/resource_limits.html.
var reasons = map[string]string{
	"None":                        "the scheduler has not looked at it yet",
	"Priority":                    "jobs of higher priority come first",
	"Resources":                   "waits for free cores or memory",
	"JobArrayTaskLimit":           "the limit of parallel tasks is reached",
	"Dependency":                  "waits for another job",
	"DependencyNeverSatisfied":    "the job that it waits for has failed",
	"BeginTime":                   "waits for its start time; Slurm delays requeued tasks by two minutes",
	"JobHeldUser":                 "held by its user; run scontrol release",
	"JobHeldAdmin":                "held by an administrator",
	"JobHoldMaxRequeue":           "held after too many requeues; run scontrol release",
	"Licenses":                    "waits for a licence",
	"PartitionDown":               "the partition is down",
	"PartitionInactive":           "the partition is not active",
	"PartitionNodeLimit":          "its number of nodes is outside the limits of the partition",
	"PartitionTimeLimit":          "its time limit exceeds the limit of the partition",
	"PartitionConfig":             "the partition does not allow it",
	"ReqNodeNotAvail":             "the nodes that it needs are not available",
	"NodeDown":                    "the nodes that it needs are down",
	"BadConstraints":              "no node has these resources or features",
	"Reservation":                 "waits for a reservation",
	"InvalidAccount":              "the account is unknown",
	"InvalidQOS":                  "the QOS is unknown",
	"QOSNotAllowed":               "the QOS is not allowed here",
	"AccountNotAllowed":           "the account is not allowed here",
	"AssociationJobLimit":         "the account has reached its job limit",
	"AssociationResourceLimit":    "the account has reached its resource limit",
	"AssociationTimeLimit":        "the account has used up its time",
	"AssocGrpCpuLimit":            "the account has reached its core limit",
	"AssocGrpCPUMinutesLimit":     "the account has used up its core time",
	"AssocMaxJobsLimit":           "the account has reached its job limit",
	"MaxMemPerLimit":              "asks for more memory than the partition allows",
	"QOSJobLimit":                 "the QOS has reached its job limit",
	"QOSResourceLimit":            "the QOS has reached its resource limit",
	"QOSTimeLimit":                "the QOS has used up its time",
	"QOSMaxCpuPerUserLimit":       "you have reached the core limit of the QOS",
	"QOSMaxJobsPerUserLimit":      "you have reached the job limit of the QOS",
	"QOSGrpCpuLimit":              "the QOS has reached its core limit",
	"Nodes required for job are":  "the nodes that it needs are down, drained or reserved",
	"Cleaning":                    "the last start is being cleaned up",
	"Prolog":                      "the node is being prepared",
	"launch failed requeued held": "held because its node could not start it; run scontrol release",
}

// Words returns a reason of squeue in plain words, followed by the reason itself. An unknown reason
// is returned unchanged.
func Words(reason string) string {
	reason = strings.Trim(reason, "()")
	bare, _, _ := strings.Cut(reason, ",") // ReqNodeNotAvail, UnavailableNodes:n1
	words, ok := reasons[bare]
	if !ok {
		for start, text := range reasons {
			if strings.Contains(start, " ") && strings.HasPrefix(reason, start) {
				words, bare = text, ""
			}
		}
	}
	switch {
	case words == "":
		return reason
	case bare == "" || bare == "None":
		return words
	}
	return words + " (" + bare + ")"
}
