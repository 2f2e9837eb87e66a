// Reporter for Node's test runner: writes the file of each failed test, one per line.
// https://nodejs.org/api/test.html#custom-reporters

export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    // A suite fails with its tests, which are reported by themselves.
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed') yield `${data.file}\n`
  }
}
