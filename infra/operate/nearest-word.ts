/** For commands and for settings: the local cloud imports nothing of shared/ itself. */
export { nearestWord } from '../../shared/kernel/text/nearest-word.ts'
