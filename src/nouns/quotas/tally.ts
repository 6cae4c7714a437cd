// How many places of quotas this thread has given and refused, for the metrics.

export const tally = { granted: 0, refused: 0 };
