export const METHOD = { rounds: 7, slices: 4, sliceMs: 5 };
/** Times contenders side by side: short slices in turn, in an order that rotates, so that all meet the same machine. */
export function compare(contenders, method = METHOD) {
    const times = contenders.map(each => calibrate(each, method.sliceMs));
    const timings = contenders.map(({ name }) => ({ name, rounds: [] }));
    for (let round = 0; round < method.rounds; round++) {
        const spent = contenders.map(() => 0);
        for (let slice = 0; slice < method.slices; slice++) {
            for (let turn = 0; turn < contenders.length; turn++) {
                const i = (turn + slice + round) % contenders.length;
                spent[i] += spentOn(contenders[i], times[i]);
            }
        }
        for (const [i, total] of spent.entries())
            timings[i].rounds.push((total * 1e6) / (times[i] * method.slices));
    }
    return timings;
}
/** Milliseconds of the processor, all threads: what else the machine does meanwhile is nobody's cost. */
function spentOn(contender, times) {
    const start = process.cpuUsage();
    contender.run(times);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e3;
}
/** How often a contender's work fits into a slice, once it has warmed up. */
function calibrate(contender, sliceMs) {
    let times = 1;
    let total = 0;
    for (;;) {
        const ms = spentOn(contender, times);
        total += ms;
        if (ms >= sliceMs && total >= sliceMs * 10)
            return Math.max(1, Math.round((times * sliceMs) / ms));
        if (ms < sliceMs)
            times = Math.ceil(times * Math.min(10, Math.max(1.5, sliceMs / Math.max(ms, 0.001))));
    }
}
export function median(values) {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
export function ratio(a, b) {
    const ratios = a.rounds.map((ns, round) => b.rounds[round] / ns);
    return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
