import type { Manifest } from '../../manifest.ts'

/** The error for blocks that the current manifest names and that are not there. */
export const missingBlock = (model: string, { rev }: Manifest): Error =>
  new Error(`blocks of the columns of ${model} are missing, although revision ${rev} of their manifest names them`)
