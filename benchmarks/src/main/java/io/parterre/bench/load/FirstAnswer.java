package io.parterre.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;

/** Checks whether an endpoint serves, by one signed listing of tables on a separate connection. */
public final class FirstAnswer {
    private static final byte[] HEADERS =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");

    private FirstAnswer() {}

    /**
     * Returns the status of the answer.
     *
     * @param atMost how long to wait for the connection and for each piece of the answer
     * @throws IOException if no process listens or no answer arrived
     */
    public static int status(Endpoint endpoint, Duration atMost) throws IOException {
        RequestWriter requests = new RequestWriter(endpoint);
        requests.setTime(System.currentTimeMillis());
        requests.path().put("Tables");
        requests.query().put("$top=1");
        ByteText request = new ByteText(1024);
        requests.write("GET", HEADERS, request);

        Answer answer = new Answer();
        AnswerParser parser = new AnswerParser(answer);
        try (Socket socket = new Socket()) {
            int millis = Math.toIntExact(atMost.toMillis());
            socket.connect(endpoint.address(), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(request.array(), 0, request.length());
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8192];
            while (!parser.done()) {
                int count = in.read(buffer);
                if (count < 0) {
                    throw new IOException("closed by the server");
                }
                parser.parse(buffer, 0, count);
            }
        } catch (IllegalArgumentException malformed) {
            throw new IOException(malformed.getMessage(), malformed);
        }
        return answer.status();
    }
}
