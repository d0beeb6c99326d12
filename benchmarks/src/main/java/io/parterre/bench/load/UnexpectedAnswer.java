package io.parterre.bench.load;

/**
 * An answer that counts as an error of the server. The message contains its kind, not its details.
 */
public final class UnexpectedAnswer extends Exception {
    private final String details;

    public UnexpectedAnswer(String kind, Answer answer) {
        super(kind, null, false, false); // Thousands may come: no stack traces.
        this.details = answer.toString();
    }

    /** Returns the exception for an answer with an unexpected status. */
    public static UnexpectedAnswer ofStatus(Answer answer) {
        return new UnexpectedAnswer("status " + answer.status(), answer);
    }

    /** Returns the server's answer. */
    public String details() {
        return details;
    }
}
