// Takes the notes of a release from the changelog.

/**
 * Returns { title, text } of the entry of a version, or of "Unreleased" when it has none yet.
 *
 * Throws Error when the changelog has neither.
 */
export function notesFor(version, changelog) {
  const entries = changelog.split(/^(?=## )/m).filter((each) => each.startsWith('## '));
  const titleOf = (entry) => entry.slice(3, entry.indexOf('\n')).trim();
  const named = (name) => entries.find((entry) => titleOf(entry).split(' ')[0] === name);
  const entry = named(version) ?? named('Unreleased');
  if (entry === undefined) throw new Error(`CHANGELOG.md has no entry for ${version}`);
  return { title: titleOf(entry), text: entry.slice(entry.indexOf('\n')).trim() };
}
