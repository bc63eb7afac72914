/** One way to do a piece of work: `run` does it `times` times. */
export interface Contender {
    readonly name: string;
    run(times: number): unknown;
}
/** What a contender's calls cost, a figure for each round, in nanoseconds. */
export interface Timing {
    readonly name: string;
    readonly rounds: readonly number[];
}
export interface Method {
    readonly rounds: number;
    /** Slices of every contender in one round. */
    readonly slices: number;
    readonly sliceMs: number;
}
export declare const METHOD: Method;
/** Times contenders side by side: short slices in turn, in an order that rotates, so that all meet the same machine. */
export declare function compare(contenders: readonly Contender[], method?: Method): Timing[];
export declare function median(values: readonly number[]): number;
/** How many times `a` one `b` costs: the median of the rounds' ratios, and their range. */
export interface Ratio {
    readonly median: number;
    readonly least: number;
    readonly most: number;
}
export declare function ratio(a: Timing, b: Timing): Ratio;
