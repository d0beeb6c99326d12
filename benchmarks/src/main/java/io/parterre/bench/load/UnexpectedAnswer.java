package io.parterre.bench.load;

/** An answer that counts as an error of the server; the message names its kind, not its details. */
public final class UnexpectedAnswer extends Exception {
    private final String details;

    public UnexpectedAnswer(String kind, Answer answer) {
        super(kind, null, false, false); // Thousands may come: no stack traces.
        this.details = answer.toString();
    }

    /** An answer of another status than the one due. */
    public static UnexpectedAnswer ofStatus(Answer answer) {
        return new UnexpectedAnswer("status " + answer.status(), answer);
    }

    /** What the server said. */
    public String details() {
        return details;
    }
}
