package sweep

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/compare"
	"dgplab/session/reproduce"
	"dgplab/tui/kit"
)

// The parts of Published, in the order of tab.
const (
	publishedList = iota
	publishedProtocol
	publishedTable
	publishedParts
)

// publishedTabs are the titles of the parts.
var publishedTabs = kit.Tabs{"Experiments", "Protocol", "Results"}

// publishedBindings are the keys of the experiments.
var publishedBindings = []kit.Binding{
	kit.Bind(kit.Steer, kit.ActStart, "enter", "train missing",
		"Train the missing runs of the experiment, split by split.", "enter"),
	kit.Bind(kit.Steer, actDownload, "f", "download",
		"Download the missing data sets of the experiment, or cancel the download.", "f"),
	kit.Bind(kit.Look, kit.ActNextPart, "tab", "next part", "Go to the next part.", "tab"),
	kit.Bind(kit.Look, kit.ActPreviousPart, "shift+tab", "", "Go to the previous part.", "shift+tab"),
	kit.Bind(kit.Look, kit.ActUp, "<up>", "", "Select the previous experiment; in other parts: scroll up.",
		"up"),
	kit.Bind(kit.Look, kit.ActDown, "<down>", "",
		"Select the next experiment; in other parts: scroll down.", "down"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.Look, kit.ActFirst, "home", "", "Go to the top.", "home"),
	kit.Bind(kit.Look, kit.ActLast, "end", "", "Go to the end.", "end"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "", "Go back. Sweeps continue.", "esc"),
	kit.Help,
	kit.Quit,
}

// Published is the screen that compares runs with published tables; it is a kit.Screen.
type Published struct {
	*work
	w, h int
	// open is set while the screen is in front.
	open bool

	part int
	list kit.List
	// entries are all experiments, and chosen is the index of the selected one.
	entries []reproduce.Entry
	chosen  int
	listed  kit.Preview[[]reproduce.Entry]

	// results belong to the selected experiment.
	results kit.Preview[results]
	// plan is the plan of the missing runs of the selected experiment. It is empty if no run is missing, or
	// if they are being trained.
	plan kit.Preview[*reproduce.Plan]
	// texts are the scroll windows of the parts other than the list.
	texts [publishedParts]kit.Scrolled
	// download is the running download, or nil.
	download *kit.Download
}

// results are the table of an experiment and its protocol.
type results struct {
	table    *reproduce.Table
	protocol compare.Sheet
}

// Title names the screen.
func (p *Published) Title() string { return "Published tables" }

// Bindings returns the keys.
func (p *Published) Bindings() []kit.Binding { return publishedBindings }

// SetSize sets the size of the screen.
func (p *Published) SetSize(w, h int) {
	p.w = w
	p.h = h
}

// Open lists the experiments.
func (p *Published) Open(any) tea.Cmd {
	p.open = true
	return p.listAgain()
}

// Leave cancels the planning of runs.
func (p *Published) Leave() {
	p.open = false
	p.plan.Cancel()
}

// listAgain lists the experiments in the background.
func (p *Published) listAgain() tea.Cmd {
	e := p.engine
	return p.listed.Start(p.host.Context(), func(context.Context) ([]reproduce.Entry, error) {
		return e.ListExperiments()
	})
}

// look computes the table of the selected experiment, and the plan of its missing runs, in the background.
func (p *Published) look() tea.Cmd {
	p.plan.Cancel()
	p.plan.Running, p.plan.Known, p.plan.Err = false, nil, nil
	if p.chosen >= len(p.entries) {
		return nil
	}
	entry := &p.entries[p.chosen]
	e, id := p.engine, entry.ID
	measure := p.results.Start(p.host.Context(), func(context.Context) (results, error) {
		table, err := e.MeasureExperiment(id)
		if err != nil {
			return results{}, err
		}
		protocol, err := table.Protocol()
		return results{table, protocol}, err
	})
	if !p.open {
		return measure
	}
	if p.going(entry.SweepName()) != nil {
		return tea.Batch(measure, p.watch())
	}
	if entry.Done == entry.Runs() {
		return measure
	}
	return tea.Batch(measure, p.plan.Schedule())
}

// trainingTickedMsg redraws the curves of the runs that train for the selected experiment.
type trainingTickedMsg struct{ gen int }

// watch returns the tick that redraws the curves.
func (p *Published) watch() tea.Cmd {
	gen := p.results.Gen
	return tea.Tick(p.host.Frame(), func(time.Time) tea.Msg { return trainingTickedMsg{gen} })
}

// inspect returns a function that plans the missing runs of the selected experiment.
func (p *Published) inspect() (func(context.Context) (*reproduce.Plan, error), error) {
	e, id := p.engine, p.entries[p.chosen].ID
	return func(ctx context.Context) (*reproduce.Plan, error) { return e.PlanExperiment(ctx, id) }, nil
}

// planned passes a message to the plan. The list then shows the time of the plan.
func (p *Published) planned(msg tea.Msg) tea.Cmd {
	cmd := p.plan.Update(p.host.Context(), msg, p.inspect)
	if p.plan.Known != nil {
		plan, entry := *p.plan.Known, &p.entries[p.chosen]
		entry.Seconds = plan.Estimate.Seconds
		entry.Unknown = entry.Runs() - plan.Selected + plan.Estimate.Unknown
	}
	return cmd
}

// Update handles lists, tables and plans, and the ends of sweeps.
func (p *Published) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case kit.PreviewedMsg[[]reproduce.Entry]:
		if !p.listed.Take(msg) {
			return nil, false
		}
		p.entries = msg.Known
		p.chosen = min(p.chosen, max(len(p.entries)-1, 0))
		return p.look(), true
	case kit.PreviewedMsg[results]:
		return nil, p.results.Take(msg)
	case kit.PreviewDueMsg[*reproduce.Plan], kit.PreviewedMsg[*reproduce.Plan]:
		return p.planned(msg), true
	case trainingTickedMsg:
		if msg.gen == p.results.Gen && p.open && p.chosen < len(p.entries) &&
			p.going(p.entries[p.chosen].SweepName()) != nil {
			return p.watch(), true
		}
	case kit.DownloadTickedMsg:
		if msg.Of == p.download {
			return msg.Of.Tick(p.host), true
		}
	case kit.DownloadedMsg:
		if msg.Of == p.download {
			return p.downloaded(msg), true
		}
	case sweepEndedMsg:
		if p.open {
			return p.listAgain(), true
		}
	}
	return nil, false
}

// Available returns the footer word of an action and the reason why it is unavailable.
func (p *Published) Available(act kit.Action) (word, reason string) {
	switch {
	case act != actDownload:
	case p.download != nil:
		return "cancel", ""
	case p.chosen >= len(p.entries), len(p.entries[p.chosen].Missing()) == 0:
		return "", "the data sets of this experiment are downloaded"
	}
	return "", ""
}

// Typed takes no text.
func (p *Published) Typed(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

// Act performs an action.
func (p *Published) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	switch act {
	case kit.ActBack:
		return p.host.Back()
	case kit.ActStart:
		return p.train()
	case actDownload:
		return p.toggleDownload()
	case kit.ActNextPart:
		p.part = (p.part + 1) % publishedParts
	case kit.ActPreviousPart:
		p.part = (p.part + publishedParts - 1) % publishedParts
	default:
		if p.part != publishedList {
			p.texts[p.part].Act(act)
			return nil
		}
		return p.choose(act.Moved(p.chosen, len(p.entries), p.list.Height()))
	}
	return nil
}

// choose selects an experiment.
func (p *Published) choose(row int) tea.Cmd {
	row = min(max(row, 0), max(len(p.entries)-1, 0))
	if row == p.chosen {
		return nil
	}
	p.chosen, p.results.Known = row, nil
	p.texts = [publishedParts]kit.Scrolled{}
	return p.look()
}

// train starts the missing runs of the selected experiment, or shows the sweep that trains them.
func (p *Published) train() tea.Cmd {
	if p.chosen >= len(p.entries) {
		return nil
	}
	e := p.entries[p.chosen]
	if p.going(e.SweepName()) != nil {
		return p.host.Go(kit.SweepProgress, showSweep{e.SweepName()})
	}
	p.plan.Cancel() // Its timing would compete with the plan of the sweep.
	p.plan.Running = false
	return p.begin(func(ctx context.Context) (kit.SweepRun, error) {
		return p.engine.StartExperiment(ctx, e.ID, max(p.jobs, 1))
	})
}

// Mouse selects the clicked element, or scrolls the part under the wheel.
func (p *Published) Mouse(x, y, wheel int) tea.Cmd {
	b, isTab, ok := p.arrange().At(x, y, publishedTabs)
	switch {
	case !ok || isTab && wheel != 0:
	case isTab:
		p.part = b.ID
	case wheel != 0 && b.ID == publishedList:
		p.list.Scroll(2 * wheel)
	case wheel != 0:
		text := &p.texts[b.ID]
		text.Wheel(2 * wheel)
	default:
		p.part = b.ID
		line := y - b.Inner().Y - listHead
		if row := p.list.Top() + line; b.ID == publishedList && line >= 0 && line < p.list.Height() &&
			row < len(p.entries) {
			return p.choose(row)
		}
	}
	return nil
}
