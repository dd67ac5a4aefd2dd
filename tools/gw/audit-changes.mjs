// What a line of the audit log changed, in a few words: the fields, and what somebody gave as their reason.
const REASONS = ['note', 'reason', 'blockReason', 'why'];
/** They change with whatever else does. */
const LEFT_OUT = ['updatedAt', ...REASONS];

export function withChanges(rows) {
  return rows.map((row) => ({ ...row, changed: changesOf(row) }));
}

function changesOf({ before, after }) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = Object.keys(is).filter((name) => !LEFT_OUT.includes(name) && differs(was[name], is[name]));
  const reason = REASONS.map((name) => is[name]).find((said) => typeof said === 'string' && said !== '');
  const fields = before === null ? [] : names;
  return [fields.join(', '), ...(reason === undefined ? [] : [`"${reason}"`])].filter(Boolean).join(': ') || null;
}

const fieldsOf = (value) => (value !== null && typeof value === 'object' ? value : {});

const differs = (one, other) => JSON.stringify(one) !== JSON.stringify(other);
