/** `TEST_DEPTH=full npm run test:deep` tries everything; every other run, also of `npm run test:servers`, tries a sample of it. */
export const isFullDepth = process.env.TEST_DEPTH === 'full'

/** How many cases a test tries of `all`: a sample, by default a fifth of them but ten at least, unless the depth is full. */
export const runs = (all: number, sample = Math.min(all, Math.max(10, Math.ceil(all / 5)))): number =>
  isFullDepth ? all : sample

/** Tests that interrupt each call of an operation interrupt every so many of them. */
export const stride = isFullDepth ? 1 : 3
