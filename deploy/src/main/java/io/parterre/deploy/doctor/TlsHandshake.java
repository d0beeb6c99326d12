package io.parterre.deploy.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * One TLS handshake over a socket, to get the certificate of the other end. Uses an engine as
 * processes do, because only then a peer is verified in the same way. Confined to one thread.
 */
final class TlsHandshake {
    private static final String[] PROTOCOLS = {"h2"};
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Socket socket;
    private final SSLEngine engine;
    private final ByteBuffer received;
    private final ByteBuffer toSend;
    private final ByteBuffer content;

    private TlsHandshake(SSLContext context, Socket socket, String host, int port) {
        this.socket = socket;
        this.engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(PROTOCOLS);
        engine.setSSLParameters(parameters);
        int packet = engine.getSession().getPacketBufferSize();
        this.received = ByteBuffer.allocate(2 * packet).limit(0);
        this.toSend = ByteBuffer.allocate(packet);
        this.content = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    /**
     * Returns the verified certificate of the other end.
     *
     * @param socket connected, with a timeout for reads
     * @throws SSLException if one of the ends refuses the other
     */
    static X509Certificate peer(SSLContext context, Socket socket, String host, int port)
            throws IOException {
        TlsHandshake handshake = new TlsHandshake(context, socket, host, port);
        handshake.run();
        return (X509Certificate) handshake.engine.getSession().getPeerCertificates()[0];
    }

    private void run() throws IOException {
        engine.beginHandshake();
        HandshakeStatus next = engine.getHandshakeStatus();
        while (next != HandshakeStatus.FINISHED && next != HandshakeStatus.NOT_HANDSHAKING) {
            next =
                    switch (next) {
                        case NEED_TASK -> compute();
                        case NEED_WRAP -> send();
                        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> take();
                        case FINISHED, NOT_HANDSHAKING -> next;
                    };
        }
    }

    private HandshakeStatus compute() {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
        return engine.getHandshakeStatus();
    }

    private HandshakeStatus send() throws IOException {
        toSend.clear();
        HandshakeStatus next = engine.wrap(NOTHING, toSend).getHandshakeStatus();
        socket.getOutputStream().write(toSend.array(), 0, toSend.position());
        return next;
    }

    private HandshakeStatus take() throws IOException {
        content.clear();
        var result = engine.unwrap(received, content);
        if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
            read();
            return engine.getHandshakeStatus();
        }
        if (result.getStatus() == Status.CLOSED) {
            throw new SSLException("the other end has closed the connection");
        }
        return result.getHandshakeStatus();
    }

    private void read() throws IOException {
        received.compact();
        InputStream in = socket.getInputStream();
        int count = in.read(received.array(), received.position(), received.remaining());
        if (count < 0) {
            throw new SSLException("the other end has closed the connection");
        }
        received.position(received.position() + count).flip();
    }
}
