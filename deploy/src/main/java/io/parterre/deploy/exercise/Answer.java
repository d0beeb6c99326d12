package io.parterre.deploy.exercise;

/**
 * The answer to one attempt of a call.
 *
 * @param status HTTP status; {@link #NONE} if there was no answer
 * @param text body of the answer, or why there is none
 */
record Answer(int status, String text) {
    static final int NONE = 0;

    private static final int SHOWN_CHARACTERS_MAX = 200;
    private static final int SUCCESS = 200;
    private static final int REDIRECTION = 300;

    boolean isSuccess() {
        return status >= SUCCESS && status < REDIRECTION;
    }

    /** Returns a short form on one line, for a report. */
    String shown() {
        String line = text.replaceAll("\\s+", " ").strip();
        String cut =
                line.length() > SHOWN_CHARACTERS_MAX
                        ? line.substring(0, SHOWN_CHARACTERS_MAX) + "..."
                        : line;
        return status == NONE ? "no answer: " + cut : status + " " + cut;
    }
}
