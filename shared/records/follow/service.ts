export { describeFollowed } from './describe-followed.ts'
