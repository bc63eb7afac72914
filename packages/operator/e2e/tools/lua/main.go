// Runs an Argo CD health script (the first argument) on each object of standard input, one JSON object a line,
// with the Lua that Argo CD uses, and prints "status: message".
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
)

func value(state *lua.LState, given any) lua.LValue {
	switch each := given.(type) {
	case bool:
		return lua.LBool(each)
	case float64:
		return lua.LNumber(each)
	case string:
		return lua.LString(each)
	case []any:
		table := state.NewTable()
		for _, item := range each {
			table.Append(value(state, item))
		}
		return table
	case map[string]any:
		table := state.NewTable()
		for key, item := range each {
			table.RawSetString(key, value(state, item))
		}
		return table
	}
	return lua.LNil
}

func main() {
	script, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		var object map[string]any
		if err := json.Unmarshal(lines.Bytes(), &object); err != nil {
			panic(err)
		}
		state := lua.NewState()
		state.SetGlobal("obj", value(state, object))
		if err := state.DoString(string(script)); err != nil {
			panic(err)
		}
		health := state.Get(-1).(*lua.LTable)
		fmt.Printf("%s: %s\n", health.RawGetString("status"), health.RawGetString("message"))
		state.Close()
	}
}
