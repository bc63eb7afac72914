// Prints the next starts of CronJob schedules as Kubernetes computes them: robfig/cron's standard parser.
// Input: one JSON object a line, {"schedule","timeZone","from","count"}; output: one JSON object a line, {"starts":[epoch seconds],"error"}.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"

	"github.com/robfig/cron/v3"
)

type question struct {
	Schedule string `json:"schedule"`
	TimeZone string `json:"timeZone"`
	From     int64  `json:"from"`
	Count    int    `json:"count"`
}

type answer struct {
	Starts []int64 `json:"starts"`
	Error  string  `json:"error,omitempty"`
}

func ask(q question) answer {
	text := q.Schedule
	if q.TimeZone != "" {
		text = "TZ=" + q.TimeZone + " " + text
	}
	schedule, err := cron.ParseStandard(text)
	if err != nil {
		return answer{Starts: []int64{}, Error: err.Error()}
	}
	a := answer{Starts: []int64{}}
	for at := time.Unix(q.From, 0).UTC(); len(a.Starts) < q.Count; {
		at = schedule.Next(at)
		if at.IsZero() {
			break
		}
		a.Starts = append(a.Starts, at.Unix())
	}
	return a
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			panic(err)
		}
		if err := out.Encode(ask(q)); err != nil {
			panic(err)
		}
	}
}
