export { describeFollowed } from './describe-followed.ts'
export { ownWords } from './own-words.ts'
