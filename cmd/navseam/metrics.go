package main

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/providers/stdio"
)

// metricsHandler shows Prometheus what a host is doing: what its status says at the moment of the
// scrape, and nothing that would have to be counted on the way of a query.
func metricsHandler(status func() host.Status) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collector{status},
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// collector makes metrics of a status. A workspace is no label: its name is nobody's business
// who only watches, and there may be many; what is shown of a provider is the sum over them.
type collector struct{ status func() host.Status }

// metric is one of those that are told of a provider.
type metric struct {
	desc  *prometheus.Desc
	value func(total) float64
}

func (collector) metrics() []metric {
	named := func(name, help string, value func(total) float64) metric {
		return metric{prometheus.NewDesc("navseam_"+name, help, []string{"provider", "kind"}, nil), value}
	}
	return []metric{
		named("up", "1 where the entry of the configuration can be used.", func(t total) float64 { return t.up }),
		named("workspaces", "Workspaces, or projects in them, that it serves.", func(t total) float64 { return t.workspaces }),
		named("queries_waiting", "Queries in line.", func(t total) float64 { return t.queue }),
		named("busy", "Processes or instances that answer a query.", func(t total) float64 { return t.busy }),
		named("starts", "Processes or instances started for the workspaces that it serves now.", func(t total) float64 { return t.starts }),
		named("failures_in_a_row", "Failures in a row, of all workspaces.", func(t total) float64 { return t.failures }),
		named("circuits_open", "Workspaces in which it is left alone, because it failed too often.", func(t total) float64 { return t.open }),
		named("documents_open", "Documents that its processes have open.", func(t total) float64 { return t.documents }),
		named("changed_files_told", "Changed files that its living processes were told of.", func(t total) float64 { return t.told }),
		named("changed_files_untouched", "Changed files that its processes have yet to be shown.", func(t total) float64 { return t.toTouch }),
		named("memory_bytes", "Memory of the idle instances of a module.", func(t total) float64 { return t.memory }),
	}
}

var _ prometheus.Collector = collector{}

// Describe lists what Collect may give.
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, m := range c.metrics() {
		to <- m.desc
	}
	to <- c.processes()
}

func (collector) processes() *prometheus.Desc {
	return prometheus.NewDesc("navseam_processes", "Language server processes, by state.", []string{"provider", "state"}, nil)
}

// Collect gives the metrics of now.
func (c collector) Collect(to chan<- prometheus.Metric) {
	metrics, processes := c.metrics(), c.processes()
	for _, p := range c.status().Providers {
		t := totalOf(p)
		for _, m := range metrics {
			to <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, m.value(t), p.ID, p.Kind)
		}
		for state, count := range t.states {
			to <- prometheus.MustNewConstMetric(processes, prometheus.GaugeValue, count, p.ID, state)
		}
	}
}

// total is the sum over the workspaces of a provider.
type total struct {
	up, workspaces, queue, busy, starts, failures, open, documents, told, toTouch, memory float64

	states map[string]float64
}

func totalOf(p host.ProviderStatus) total {
	t := total{states: map[string]float64{}}
	if p.Err == nil {
		t.up = 1
	}
	for _, w := range p.Server.Workspaces {
		t.addServer(w)
	}
	for _, w := range p.Module.Workspaces {
		t.addModule(w)
	}
	return t
}

func (t *total) addServer(w stdio.WorkspaceStatus) {
	t.workspaces++
	t.queue += float64(w.Queue)
	t.starts += float64(w.Starts)
	t.failures += float64(w.Failures)
	if w.CircuitOpen > 0 {
		t.open++
	}
	for _, p := range w.Processes {
		t.states[p.State]++
		t.documents += float64(p.Documents)
		t.told += float64(p.Told)
		t.toTouch += float64(p.ToTouch)
		if p.Busy {
			t.busy++
		}
	}
}

func (t *total) addModule(w sandbox.WorkspaceStatus) {
	t.workspaces++
	t.queue += float64(w.Queue)
	t.busy += float64(w.Busy)
	t.starts += float64(w.Starts)
	t.failures += float64(w.Failures)
	t.memory += float64(w.MemoryBytes)
	if w.CircuitOpen > 0 {
		t.open++
	}
}
