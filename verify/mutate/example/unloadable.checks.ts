/** Stands for a test file that the mutation check cannot load. */
throw new Error('this file cannot be loaded')
