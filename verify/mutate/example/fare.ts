/** For the test of the mutation check. */
export const fare = (age: number): number => (age < 6 ? 0 : 5)
