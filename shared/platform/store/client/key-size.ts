import type { Key } from '../keys/key.ts'

const partitionKeyBytes = 2048
const sortKeyBytes = 1024

/**
 * Whether an item can have this key. DynamoDB refuses to look for one that is too long, which a name in a request may
 * make it: a read answers that there is none.
 */
export const canExist = ({ pk, sk }: Key): boolean => fits(pk, partitionKeyBytes) && fits(sk, sortKeyBytes)

// A UTF-16 code unit takes three bytes at most.
const fits = (text: string, bytes: number): boolean => text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes
