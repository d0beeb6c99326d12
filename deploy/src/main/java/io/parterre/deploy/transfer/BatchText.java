package io.parterre.deploy.transfer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Body and answer of an entity group transaction. Source: docs/protocol.md 10. Stateless. */
final class BatchText {
    /** No entity contains a line that begins like this, because JSON has no raw line breaks. */
    private static final String BATCH = "batch_parterre";

    private static final String CHANGES = "changeset_parterre";
    static final String CONTENT_TYPE = "multipart/mixed; boundary=" + BATCH;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

    private BatchText() {}

    /**
     * Returns a batch that writes entities of one partition.
     *
     * @param table complete address of the table
     */
    static byte[] of(String table, List<ObjectNode> entities, String verb) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
        write(
                out,
                "--"
                        + BATCH
                        + "\r\nContent-Type: multipart/mixed; boundary="
                        + CHANGES
                        + "\r\n\r\n");
        for (ObjectNode each : entities) {
            write(
                    out,
                    "--"
                            + CHANGES
                            + "\r\nContent-Type: application/http\r\n"
                            + "Content-Transfer-Encoding: binary\r\n\r\n"
                            + verb
                            + " "
                            + table
                            + EntityLines.address(each)
                            + " HTTP/1.1\r\nContent-Type: application/json\r\n"
                            + "Accept: application/json;odata=minimalmetadata\r\n"
                            + "DataServiceVersion: 3.0;\r\n\r\n");
            out.write(EntityLines.body(each));
            write(out, "\r\n");
        }
        write(out, "--" + CHANGES + "--\r\n--" + BATCH + "--\r\n");
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
    }

    /** Returns the status of an answer: for a batch, that of the first refused part. */
    static int status(int ofCall, byte[] body) {
        if (ofCall != 202) {
            return ofCall;
        }
        Matcher parts = STATUS.matcher(new String(body, ISO_8859_1));
        int status = ofCall;
        while (parts.find() && status < 300) {
            status = Integer.parseInt(parts.group(1));
        }
        return status;
    }
}
