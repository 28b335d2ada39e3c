import { Invalid } from '../../../../kernel/failures/faults.ts'

/** A file that cannot be imported. `why`: a sentence. */
export const noWorkbook = (why: string): Invalid => new Invalid({ path: [why] })

/** A file that no spreadsheet opens either. `why`: what is wrong with it. */
export const brokenWorkbook = (why: string): Invalid => noWorkbook(`The file is no workbook in XLSX: ${why}.`)
